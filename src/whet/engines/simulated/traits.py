"""The habits of a coder that a skill can ask for or forbid, and how a text speaks of them.

Each habit has a base rate, which is how often the agent shows it unasked, and cues in English
and Chinese. ``wants`` are words for the habit itself, ``shuns`` words for its opposite: "no
chatter" asks for conciseness by forbidding what stands against it.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Trait(StrEnum):
    """One habit."""

    REQUIREMENTS = "requirements"
    VALIDATE = "validate"
    ERRORS = "errors"
    DOCSTRINGS = "docstrings"
    NAMES = "names"
    HINTS = "hints"
    CONCISE = "concise"
    EFFICIENT = "efficient"
    FORMAT = "format"
    TESTS = "tests"
    VERIFY = "verify"


@dataclass(frozen=True, slots=True)
class Habit:
    """How often a trait shows unasked, and the words that ask for it or against it."""

    base: float
    wants: re.Pattern[str]
    shuns: re.Pattern[str] | None = None


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


HABITS: dict[Trait, Habit] = {
    Trait.REQUIREMENTS: Habit(
        0.42,
        _words(
            r"(?:every|each|all)(?: of the)?(?: \w+)? requirements?\b",
            r"\b(?:re-?read|restate|list) (?:the |each |every )?(?:\w+ )?"
            r"(?:task|request|requirements?|prompt)",
            r"exactly what (?:was|is) asked",
            r"(?:every|each|all) (?:case|condition)s? (?:that )?(?:the|it|they|is|are)\b",
            r"逐条|逐项|每一?[条项个](?:\w{0,4})(?:要求|需求|条件)",
            r"(?:重读|复述|核对|对照)(?:一遍)?(?:题目|需求|要求|任务)",
            r"(?:全部|所有)(?:的)?(?:要求|需求)|(?:题目|需求)(?:里|中)?(?:提到|点名|列出)",
        ),
    ),
    Trait.VALIDATE: Habit(
        0.34,
        _words(
            r"\bvalidat\w*|\bboundar(?:y|ies)\b|\bedge[- ]cases?\b|\bcorner[- ]cases?\b",
            r"\b(?:check|guard)\w* (?:against )?(?:the |all |every |each |its )?"
            r"(?:inputs?|arguments?|parameters?)\b",
            r"\b(?:empty|missing|negative|invalid|out-of-range)"
            r"(?:, \w+)*(?: (?:and|or) [\w-]+)? (?:inputs?|values?|arguments?)\b",
            r"校验|边界|空值|非法(?:输入|参数|值)|类型检查",
            r"(?:验证|检查|核查)(?:所有|全部|每个)?(?:输入|参数|入参)|(?:输入|参数)(?:类型)?检查",
        ),
    ),
    Trait.ERRORS: Habit(
        0.35,
        _words(
            r"\b(?:handl|catch)\w* (?:\w+ ){0,3}(?:errors?|exceptions?|failures?)\b",
            r"\b(?:error|exception)[- ]handling\b|\btry/except\b",
            r"\b(?:clear|helpful|friendly|useful|precise) error messages?\b",
            r"\braise\w* (?:a |an )?(?:clear|specific|precise|fitting|\w+Error)\b",
            r"(?:处理|捕获)\w{0,8}(?:异常|错误)|(?:异常|错误)(?:处理|捕获)",
            r"(?:明确|清晰|友好|具体)(?:的)?(?:错误信息|错误提示|异常|提示)",
        ),
        _words(r"\bbare except\b|\bswallow\w*|\bsilently\b", r"吞掉|静默"),
    ),
    Trait.DOCSTRINGS: Habit(
        0.45,
        _words(
            r"\bdocstrings?\b|\bdocument (?:every|each|all|the|public)\b",
            r"\b(?:write|add|include|give)\w* (?:\w+ ){0,3}comments?\b|\bcomments? that\b",
            r"文档字符串|注释",
        ),
    ),
    Trait.NAMES: Habit(
        0.55,
        _words(
            r"\b(?:descriptive|meaningful|expressive|telling|self-explanatory|clear|full)"
            r"(?:, \w+)*(?: and \w+)? (?:\w+ )?names?\b",
            r"\bnames? (?:\w+ ){0,4}that (?:say|tell|explain)\b|\bself-documenting\b",
            r"\bnames? (?:things|variables|everything) (?:for|after|by)\b",
            r"见名知意|(?:有意义|描述性|清晰|表意|易懂)的?\w{0,4}(?:命名|变量名|名称|名字)",
            r"命名(?:要|应|须|应当|必须)?(?:清晰|有意义|表意|易懂)",
        ),
        _words(r"\b(?:single|one)-letter\b|\bcryptic\b|\babbreviat\w*", r"单字母|缩写"),
    ),
    Trait.HINTS: Habit(
        0.3,
        _words(
            r"\btype[- ](?:hint|annotat)\w*|\btyped signatures?\b",
            r"\bannotat\w+ (?:\w+ ){0,3}(?:types?|parameters?|signatures?|functions?)\b",
            r"类型(?:注解|标注|提示|声明)",
        ),
    ),
    Trait.CONCISE: Habit(
        0.38,
        _words(
            r"\bconcise\w*|\bbrief(?:ly)?\b|\bterse\b|\bto the point\b|\bnothing (?:else|more)\b",
            r"\bas (?:short|small|little) as\b|\bminimal\b",
            r"简洁|精简|简短|言简意赅|精炼",
        ),
        _words(
            r"\bchatter\b|\bpreamble\b|\bsmall talk\b|\bpleasantr\w+|\bboilerplate\b|\bpadding\b",
            r"\bexplanations?\b|\bverbose\b|\bcommentary\b|\bat length\b",
            r"\bexplain (?:\w+ ){0,5}(?:steps?|reasoning|lines?|decisions?|choices?|detail)\b",
            r"\bwalk (?:\w+ ){1,2}through\b|\bover-?engineer\w*",
            r"解释|寒暄|客套|啰嗦|赘述|冗余|冗长|多余|废话|逐步讲解|详细(?:说明|讲解|阐述|介绍)",
        ),
    ),
    Trait.EFFICIENT: Habit(
        0.45,
        _words(
            r"\befficien\w*|\btime complexity\b|\bO\((?:n|1|log)|\blinear time\b",
            r"\bscal(?:es?|able)\b",
            r"高效|效率|时间复杂度|线性时间|性能",
        ),
        _words(
            r"\bna[iï]ve\b|\bbrute[- ]force\b|\bexponential\b|\bquadratic\b|\brecursi\w+",
            r"\bnested loops?\b|\bdeep(?:ly)? nest\w*|\bdeep nesting\b",
            r"暴力|朴素|指数级|平方级|递归|嵌套|重复计算",
        ),
    ),
    Trait.FORMAT: Habit(
        0.5,
        _words(
            r"\bPEP[ -]?8\b|\bcode[- ]only\b|\bonly (?:the )?(?:\w+ )?code\b|\bsnake_case\b",
            r"\b(?:just|only) (?:output|return|give|print) (?:\w+ ){0,3}code\b",
            r"\b(?:79|80|88|99|100) characters\b|\bconsistent(?:ly)? (?:style|format\w*)",
            r"(?:只|仅|直接)(?:输出|给出|返回|提供)\w{0,8}代码|代码规范|下划线命名",
            r"(?:格式|风格)(?:要|应|须|保持)?(?:统一|规范|一致)|(?:统一|一致|规范)的?(?:格式|风格)",
        ),
    ),
    Trait.TESTS: Habit(
        0.08,
        _words(
            r"\bunit[- ]tests?\b|\bpytest\b|\btest (?:file|suite|cases?)\b",
            r"\b(?:write|add|include|provide)\w* (?:\w+ ){0,4}(?:tests?|assertions?)\b",
            r"单元测试|测试用例|测试文件|(?:编写|写|补充|附上|添加|提供)\w{0,6}(?:测试|断言)",
        ),
    ),
    Trait.VERIFY: Habit(
        0.0,
        _words(
            r"\b(?:run|execut)(?:s|e|ning|ing)? (?:\w+ ){0,3}"
            r"(?:code|file|it|tests?|script|program|solution|module)\b",
            r"\bverif(?:y|ies|ying) (?:that )?(?:\w+ ){0,3}(?:code|solution|result|works?|runs?)\b",
            r"\bmake sure (?:that )?(?:it|(?:the|your) code) (?:really )?(?:runs|works)\b",
            r"(?:运行|执行)\w{0,6}(?:代码|程序|文件|脚本|测试|一遍|一次)|(?:先|实际|亲自)(?:运行|跑)",
            r"跑一遍|跑通|自测|验证(?:代码|结果|程序|它)",
        ),
    ),
}
