"""Cases without a model: the description, put into situations that every task has.

They test little. They are what the simulated agent can do, so that everything around them can be
tried out without any key.
"""

import re
from collections.abc import Iterator, Mapping

from whet.run.assist.written import Category, Written

_LONGEST = 300
_HAN = re.compile(r"[\u3400-\u9fff]")

_Situation = tuple[str, str, str]
"""A name, what is asked besides, and what a good answer has."""

_ENGLISH: Mapping[Category, tuple[_Situation, ...]] = {
    "standard": (
        ("everyday request", "Do it for an ordinary case.", "It does what is asked, completely."),
        ("with an example", "Show one example as well.", "It does what is asked, with an example."),
        ("short answer", "Answer as briefly as you can.", "It is right, and short."),
        ("step by step", "Explain every step.", "The steps are complete and in order."),
        ("for a beginner", "Explain it to a beginner.", "A beginner can follow it."),
        ("with a check", "Say how to check the result.", "The check really finds a wrong result."),
    ),
    "boundary": (
        ("empty input", "The input is empty.", "It says what happens with nothing to work on."),
        ("very large input", "The input is very large.", "It copes, or says where the limit is."),
        ("other languages", "The input mixes languages and emoji.", "No character is lost."),
        ("ambiguous request", "Do it the usual way.", "It says what it took the request to mean."),
    ),
    "exception": (
        ("broken input", "Half of the input is missing.", "It says what is missing."),
        ("contradiction", "Do it, and leave everything as it is.", "It names the contradiction."),
        ("impossible request", "It must take no time at all.", "It says that this cannot be done."),
    ),
}
_CHINESE: Mapping[Category, tuple[_Situation, ...]] = {
    "standard": (
        ("日常请求", "请处理一个普通的例子。", "完整地完成了要求。"),
        ("附带示例", "请同时给出一个示例。", "完成了要求，并有示例。"),
        ("简短回答", "请尽量简短地回答。", "正确而且简短。"),
        ("逐步说明", "请说明每一步。", "步骤完整，顺序正确。"),
        ("面向新手", "请讲给新手听。", "新手能看懂。"),
        ("附带验证", "请说明如何验证结果。", "这种验证确实能发现错误的结果。"),
    ),
    "boundary": (
        ("空输入", "输入是空的。", "说明了没有内容时会怎样。"),
        ("超大输入", "输入非常大。", "能够处理，或说明上限在哪里。"),
        ("混合语言", "输入混有多种语言和表情符号。", "没有丢失任何字符。"),
        ("含糊的请求", "请按通常的方式做。", "说明了自己如何理解这个请求。"),
    ),
    "exception": (
        ("残缺的输入", "输入缺了一半。", "指出缺少什么。"),
        ("自相矛盾", "请完成它，但什么都不要改变。", "指出了矛盾之处。"),
        ("无法完成", "必须不花任何时间。", "说明这是做不到的。"),
    ),
}


def template_cases(description: str, counts: Mapping[Category, int]) -> Iterator[Written]:
    """So many cases of each category, every one different; always the same for one description."""
    is_chinese = bool(_HAN.search(description))
    task = " ".join(description.split())[:_LONGEST]
    for category, situations in (_CHINESE if is_chinese else _ENGLISH).items():
        for number in range(counts[category]):
            again, place = divmod(number, len(situations))
            name, request, expected = situations[place]
            variant = f"（第 {again + 1} 组）" if is_chinese else f" (set {again + 1})"
            more = variant if again else ""
            yield Written(
                name=f"{name}{more}",
                category=category,
                input=f"{task}\n\n{request}{more}",
                expected_output=expected,
                description=name,
            )
