"""What the agent says besides code, in English and in Chinese."""

Pair = tuple[str, str]

READS_SKILL: Pair = ("I will read the skill first.", "我先读一下技能说明。")
READS_INPUT: Pair = ("Read an input file", "读取输入文件")
WRITES: Pair = ("Now I write the solution.", "现在编写解答。")
WRITES_FILE: Pair = ("Write the solution", "写入解答")
WRITES_TESTS: Pair = ("Write a test for it", "为解答编写测试")
CHECKS: Pair = ("Run the solution once", "运行一次解答")
REPAIRS: Pair = ("Correct a misspelt name", "改正拼错的名字")
SEES_FAILURE: Pair = ("It failed; I correct that and run it again.", "运行失败，改正后再运行一次。")
OPENS_SKILL: Pair = ("Read the skill", "读取技能说明")
WRITES_ARTIFACTS: Pair = ("Now I write what is to be handed in.", "现在写入需要交付的文件。")
WRITES_ARTIFACT: Pair = ("Write a file to hand in", "写入交付文件")

RESTATEMENTS: dict[str, Pair] = {
    "for": ("loop over all of the elements one after another", "依次遍历所有元素"),
    "while": ("keep going for as long as the condition holds", "只要条件成立就继续循环"),
    "if": ("check whether the condition is met before we go on", "继续之前先判断条件是否成立"),
    "return": ("and finally give the result back to the caller", "最后把结果返回给调用者"),
    "with": ("open the file so that we are able to read from it", "打开文件以便读取内容"),
    "try:": ("try to do it, because something could go wrong", "尝试执行，因为可能会出错"),
}

DONE: Pair = ("Done: `{file}`.", "完成：`{file}`。")
CHECKED: Pair = ("I ran it and it works.", "已运行，结果正确。")

GREETINGS: tuple[Pair, ...] = (
    (
        "Great question! I would be happy to help you with this task today.",
        "这是一个非常好的问题！很高兴今天能够帮助你完成这项任务。",
    ),
    (
        "Certainly! Let me walk you through a complete solution, step by step.",
        "当然可以！下面我将为你一步一步地讲解完整的解决方案。",
    ),
    (
        "Of course! Below you will find a comprehensive implementation of your request.",
        "没问题！下面是针对你的需求给出的完整而全面的实现。",
    ),
)

REMARKS: tuple[Pair, ...] = (
    (
        "First of all, the code defines a function, which is a reusable piece of code.",
        "首先，代码中定义了一个函数，函数是一段可以重复使用的代码。",
    ),
    (
        "Then the input is taken and processed in the way that was described above.",
        "然后，程序接收输入，并按照上面描述的方式进行处理。",
    ),
    (
        "It is worth noting that there are of course many other ways to solve this problem.",
        "值得注意的是，解决这个问题当然还有许多其他的方法。",
    ),
    (
        "The approach shown here was chosen because it strikes a good balance overall.",
        "之所以选择这里展示的做法，是因为它在整体上取得了良好的平衡。",
    ),
    (
        "Each line has been written with great care so that it is easy to follow along.",
        "每一行代码都经过精心编写，方便你跟着思路一步一步理解。",
    ),
    (
        "As you can see, the result is returned at the end, where the caller can use it.",
        "可以看到，最后会返回结果，调用者可以随意使用它。",
    ),
    (
        "You may want to adapt the names and the structure to the conventions of your project.",
        "你也可以根据自己项目的约定，对名称和结构进行相应的调整。",
    ),
)

FAREWELLS: tuple[Pair, ...] = (
    (
        "I hope this helps! Let me know if you have any questions or would like changes.",
        "希望对你有所帮助！如果还有任何问题或需要修改的地方，请随时告诉我。",
    ),
    (
        "Feel free to reach out if anything is unclear, and happy coding!",
        "如有任何不清楚的地方欢迎继续提问，祝编码愉快！",
    ),
)
