"""Every command of the program: where it is, and the line that ``--help`` says of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Group:
    """Commands that share their first word."""

    help: str
    default: str | None = None
    """The command that is meant where none is named."""

    has_silent_default: bool = False
    """Whether that holds where nothing else is given either."""


@dataclass(frozen=True, slots=True)
class Command:
    """A function below ``whet.cli``, as ``module:name``; it is imported when it is called."""

    function: str
    help: str
    fixed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Values of parameters that are no options."""

    is_hidden: bool = False


def _library(kind: str) -> dict[str, Group | Command]:
    """The commands that skills and baselines share."""
    fixed = {"kind": kind}
    return {
        f"{kind} import": Command(
            f"library_import:import_{kind}",
            "Take files and folders into the library; exit code 1 if something could not be taken.",
        ),
        f"{kind} export": Command(
            f"library_export:export_{kind}",
            "Write one version into a file that can be imported again.",
        ),
        f"{kind} list": Command(
            f"library_find:list_{kind}s", "List what is in the library, one page of it."
        ),
        f"{kind} show": Command(
            f"library_show:show_{kind}",
            "Show all that is known of one version: what it says, its tags and its other versions.",
        ),
        f"{kind} search": Command(
            "library_find:search",
            "Look for words in names, tags, descriptions and contents, the best hit first.",
            fixed,
        ),
        f"{kind} facets": Command(
            "library_find:facets",
            "Say which purposes, providers and tags there are, and how often.",
            fixed,
        ),
        f"{kind} broken": Command(
            "library_find:broken", "List the folders that cannot be read, and why.", fixed
        ),
        f"{kind} edit": Command(
            f"library_edit:edit_{kind}", "Make the next version; without options, in your editor."
        ),
        f"{kind} versions": Command(
            "library_versions:versions",
            "List its versions, the newest first, and what each of them changed.",
            fixed,
        ),
        f"{kind} diff": Command("library_versions:diff", "Compare any two of its versions.", fixed),
        f"{kind} rollback": Command(
            "library_edit:rollback",
            "Make what an older version said the next version; tags and status stay.",
            fixed,
        ),
        f"{kind} adopt": Command(
            "library_edit:adopt",
            "Make what somebody wrote into its folder by hand the next version.",
            fixed,
        ),
        f"{kind} archive": Command(
            "library_edit:set_status",
            "Put them out of the way; nothing is deleted.",
            {**fixed, "status": "archived"},
        ),
        f"{kind} restore": Command(
            "library_edit:set_status", "Take archived ones back.", {**fixed, "status": "active"}
        ),
        f"{kind} suggest-purpose": Command(
            "library_assist:suggest_purpose",
            "Say whether a purpose is there already under another name.",
            fixed,
        ),
        f"{kind} tag": Group("Tags: your own, and what you say to proposed ones."),
        f"{kind} tag list": Command(
            "library_tag:list_", "List every tag, also those that wait or were rejected.", fixed
        ),
        f"{kind} tag add": Command("library_tag:add", "Add tags; all of them, or none.", fixed),
        f"{kind} tag remove": Command(
            "library_tag:remove",
            "Take tags away; an approved one is rejected and stays on record.",
            fixed,
        ),
        f"{kind} tag rename": Command(
            "library_tag:rename", "Put a tag that holds into other words.", fixed
        ),
        f"{kind} tag review": Command(
            "library_tag:review",
            "Say what becomes of proposed tags; without options, one after the other.",
            fixed,
        ),
        f"{kind} tag auto": Command(
            "library_assist:auto",
            "Let a model propose tags, which wait for your review; exit code 1 if it failed.",
            fixed,
        ),
    }


COMMANDS: dict[str, Group | Command] = {
    "demo": Command(
        "demo:demo",
        "Compare three sample skills on the built-in simulated agent and print the ranking.",
    ),
    "eval": Group(
        "Measure whether a skill helps: whet eval SKILL_DIR runs its evals/evals.json.",
        default="run",
    ),
    "eval run": Command(
        "eval:run", "Run the evals of a skill with it and without it, and say whether it helps."
    ),
    "eval regrade": Command(
        "eval:regrade",
        "Grade the latest runs anew, with the suite as it is now; no agent is started.",
    ),
    "eval race": Command(
        "eval_race:race",
        "Find the best of several skills, and measure the winner on evals that were held out.",
    ),
    "eval init": Command(
        "eval_init:init", "Write a draft of evals/evals.json and evals/triggers.json for a skill."
    ),
    "eval review": Command(
        "eval_review:review",
        "Look at runs, blind, and say of each whether it passes; whatever you say is kept at once.",
    ),
    "eval calibrate": Command(
        "eval_calibrate:calibrate",
        "Hold the judges against people's labels, and correct the pass rate by what comes of it.",
    ),
    "eval feedback": Command(
        "eval_feedback:feedback",
        "Show what judges say of the suite, and the edits that follow; accept those you like.",
    ),
    "skill": Group("Collect, find, check and pack skills."),
    **_library("skill"),
    "skill lint": Command(
        "skill_lint:lint",
        "Hold a skill against the Agent Skills specification; exit code 1 if there are errors.",
    ),
    "skill pack": Command(
        "skill_pack:pack",
        "Pack a skill into a .skill file; the same skill always gives the same file.",
    ),
    "baseline": Group("Collect and find sets of cases."),
    **_library("baseline"),
    "baseline generate": Command(
        "baseline_generate:generate",
        "Let a model write cases for a new baseline; you say which of them are kept.",
    ),
    "baseline case": Group("Single cases; each change is the next version of the baseline."),
    "baseline case list": Command("baseline_case:list_", "List the cases of the newest version."),
    "baseline case add": Command(
        "baseline_case:add", "Add a case, or those of a file; all of them, or none."
    ),
    "baseline case edit": Command("baseline_case:edit", "Change fields of a case."),
    "baseline case remove": Command(
        "baseline_case:remove", "Take a case out; older versions keep it."
    ),
    "project": Group("Compare skills on baselines."),
    "project create": Command(
        "project_edit:create",
        "Make a project of versions in the library: which skills, on which baselines, by whom.",
    ),
    "project run": Command(
        "project_run:run",
        "Run a project to its end and print the ranking; what is on record is not run again.",
    ),
    "project resume": Command(
        "project_run:run",
        "Go on with a project that was paused, stopped or killed: the same as run.",
    ),
    "project pause": Command(
        "project_run:pause",
        "Let what is under way come to its end, and begin nothing else; run goes on with it.",
    ),
    "project stop": Command(
        "project_run:stop",
        "End the agents that run for it, wherever they do; run goes on with it.",
    ),
    "project status": Command(
        "project_run:status",
        "Say how far a project is, what failed, how long it takes and what it cost.",
    ),
    "project watch": Command(
        "project_run:watch", "Follow a running project until it ends, whichever process runs it."
    ),
    "project retry": Command(
        "project_run:retry",
        "Want other answers for some results, or for those that failed; the next run gets them.",
    ),
    "project list": Command("project_list:list_", "List the projects, the newest first."),
    "project show": Command(
        "project_show:show", "Show how a project is set up, and its ranking once it has one."
    ),
    "project results": Command(
        "project_results:results", "List results; with --skill and --case show one in full."
    ),
    "project rename": Command(
        "project_edit:rename", "Call a project otherwise; its folder keeps its name."
    ),
    "project archive": Command(
        "project_edit:archive", "Put a project out of the way; nothing is deleted."
    ),
    "project restore": Command("project_edit:restore", "Take an archived project back."),
    "project clone": Command(
        "project_edit:clone", "Make a new project of the same design, without results."
    ),
    "project export": Command(
        "project_export:export",
        "Write a project to a zip that can be imported elsewhere, or a report of it.",
    ),
    "project import": Command(
        "project_export:import_",
        "Take a project in from a zip that was exported; nothing of it is run.",
    ),
    "project adopt": Command(
        "project_edit:adopt",
        "Agree on this machine to what a project that came from elsewhere starts and may reach.",
    ),
    "project compare": Command(
        "project_compare:compare",
        "Say which of two skills is better on the cases that both were tried on, and how sure.",
    ),
    "project environment": Command(
        "project_environment:environment",
        "Show what a project is carried out with, or how two projects differ in that.",
    ),
    "leaderboard": Group(
        "How skills did in projects: `whet leaderboard`, in full `whet leaderboard show`.",
        default="show",
        has_silent_default=True,
    ),
    "leaderboard show": Command(
        "leaderboard:show",
        "Show the best results on each baseline, and which of them are outdated.",
    ),
    "leaderboard history": Command(
        "leaderboard:history",
        "Show how a skill did over its versions and over time, on each baseline.",
    ),
    "runs": Group("List, watch, pause, resume and stop runs of every kind, in whichever process."),
    "runs list": Command(
        "runs:list_",
        "List runs, the newest first: projects, evals, capability runs, jobs, races and the like.",
    ),
    "runs show": Command("runs:show", "Show a run: how far it is, what it cost, and how it ended."),
    "runs watch": Command(
        "runs:watch", "Follow a run to its end; exit code 1 unless that is completion."
    ),
    "runs pause": Command(
        "runs:pause", "Let what is under way come to its end, and start nothing more."
    ),
    "runs stop": Command(
        "runs:stop",
        "End the agents of a run now; what they had answered stays, and most runs can be resumed.",
    ),
    "runs resume": Command(
        "runs:resume", "Go on with a run here; what is on record is not done again."
    ),
    "capability": Group(
        "Measure what an agent can do: tools, logic, common knowledge, complex tasks."
    ),
    "capability sets": Command(
        "capability_sets:sets",
        "List the case sets, bundled ones and those of the workspace, and what is wrong with them.",
    ),
    "capability lint": Command(
        "capability_lint:lint", "Look for mistakes in a case set; exit code 1 if there are errors."
    ),
    "capability coverage": Command(
        "capability_lint:coverage",
        "Show which tools, dimensions, languages, tags and checkers the cases of a set touch.",
    ),
    "capability run": Command(
        "capability_run:run", "Run a case set on an agent, and print what it came to."
    ),
    "capability resume": Command(
        "capability_run:resume",
        "Go on with a run that was interrupted, killed or failed; what it has is not done again.",
    ),
    "capability cancel": Command(
        "capability_run:cancel",
        "End a run for good, in whichever process it is; what it has is kept.",
    ),
    "capability delete": Command(
        "capability_run:delete",
        "Remove runs with their items and folders; cancel one that is running first.",
    ),
    "capability list": Command("capability_list:list_", "List the runs, the newest first."),
    "capability show": Command(
        "capability_show:show",
        "Show what a run came to, and why its cases failed; with --case one of them in full.",
    ),
    "capability compare": Command(
        "capability_compare:compare",
        "Hold runs against the first of them: which cases flipped, and how far they are apart.",
    ),
    "capability stability": Command(
        "capability_compare:stability",
        "Say how alike several runs of one set are: which cases flip, and how far the totals go.",
    ),
    "capability export": Command(
        "capability_show:export",
        "Write a report of a run: a page, Markdown, a table, or all of it as JSON.",
    ),
    "trigger": Group("Measure and improve when agents take a skill up."),
    "trigger run": Command(
        "trigger:run",
        "Put queries to agents and see which of them make the agent take the skill up.",
    ),
    "trigger optimize": Command(
        "trigger:optimize",
        "Look for a description by which agents take the skill up at the right times.",
    ),
    "job": Group(
        "Skills that are run with typed inputs: ask for them, wait, answer, take the files."
    ),
    "job run": Command(
        "job.run:run",
        "Run a skill with typed inputs in this process, and print what it came to as JSON.",
    ),
    "job submit": Command(
        "job.submit:submit",
        "Ask for a job, or for many, that a server does, or whoever waits for it.",
    ),
    "job list": Command("job.list:list_", "List the jobs, the newest first."),
    "job status": Command("job.status:status", "Show where a job is, and what it waits for."),
    "job wait": Command(
        "job.run:wait",
        "Wait for a job or a batch to end, and do it here if nobody else does; exit code 1 if "
        "it did not succeed.",
    ),
    "job logs": Command("job.logs:logs", "Show what the agent did, line by line."),
    "job result": Command("job.status:result", "Print what a job that is over came to, as JSON."),
    "job reply": Command(
        "job.change:reply",
        "Answer an agent that waits; without VALUE and --file, show what it asks.",
    ),
    "job cancel": Command("job.change:cancel", "End a job for good, in whichever process it is."),
    "job artifacts": Command(
        "job.artifacts:artifacts",
        "List the files that a job delivered, or write them into a folder.",
    ),
    "job bundle": Command(
        "job.artifacts:bundle",
        "Write all that a job delivered into a zip; for debugging, also how it came about.",
    ),
    "job case": Command("job.change:case", "Make a job that succeeded a test case of a baseline."),
    "job batch": Command("job.batch:batch", "Show all jobs of a batch in one table."),
    "job delete": Command(
        "job.change:delete",
        "Forget jobs that are over, with their files; their session logs stay.",
    ),
    "run": Command("job.run:run", "The same as whet job run.", is_hidden=True),
    "package": Group(
        "Install skill packages that keep a contract: inputs, engines, outputs, files."
    ),
    "package install": Command(
        "package:install",
        "Install a package, or update it by a higher version; whole or not at all.",
    ),
    "package list": Command(
        "package:list_",
        "List the installed packages, and what keeps some of them from being run.",
    ),
    "package show": Command(
        "package:show",
        "Show what a package takes and promises: inputs, parameters, outputs, files.",
    ),
    "package history": Command(
        "package:history", "List the versions of a package, the newest first."
    ),
    "package rollback": Command(
        "package:rollback",
        "Make what an older version said the next one, be its number lower.",
    ),
    "package remove": Command(
        "package:remove", "Remove a package; it is archived, and nothing is deleted."
    ),
    "session": Group("What agents did, call by call, and what they are doing now."),
    "session import": Command(
        "session.import_logs:import_",
        "Read logs of other programs into sessions; exit code 1 if one was refused.",
    ),
    "session list": Command("session.list:list_", "List the sessions, the newest first."),
    "session search": Command(
        "session.list:search", "Find sessions and calls by words, and by what was done."
    ),
    "session show": Command(
        "session.show:show", "Show what an agent did, call by call, with its phases."
    ),
    "session annotate": Command(
        "session.annotate:annotate",
        "Say which phases a session has: by rule, by hand, or by asking an engine.",
    ),
    "session stats": Command(
        "session.stats:stats",
        "Show where the time went, what failed, was repeated and was touched.",
    ),
    "session compare": Command(
        "session.compare:compare",
        "Hold two sessions side by side, call by call, and say where they part.",
    ),
    "session export": Command(
        "session.export:export",
        "Write a session as a page, Markdown, JSON or OpenTelemetry spans, without secrets.",
    ),
    "session tail": Command(
        "session.tail:tail",
        "Follow an agent at work to its end, whichever process runs it; without ID, list what runs "
        "now. With --json each event is one line.",
    ),
    "cassette": Group("Put trials into one file, or take them from one."),
    "cassette export": Command(
        "cassette:export",
        "Write recorded trials into a cassette: answers, files, sessions and steps.",
    ),
    "cassette import": Command(
        "cassette:import_",
        "Take the trials of a cassette into the workspace; they run nothing and cost nothing.",
    ),
    "serve": Command(
        "serve:serve",
        "Serve the pages and the API until Ctrl-C. Anything but loopback needs WHET_TOKEN.",
    ),
    "doctor": Command(
        "doctor:doctor",
        "Say which engines, sandbox, database and disk there are, and how to fix what is missing.",
    ),
    "engine": Group("The agents that whet can drive."),
    "engine list": Command(
        "engine:list_",
        "List the engines: installed or not, which version, and what is missing.",
    ),
    "config": Group("Show and set what holds where a command names nothing."),
    "config show": Command("config:show", "Show every value, and where it comes from."),
    "config set": Command("config:set_", "Write values into cli/config.json of the workspace."),
    "consent": Group("Agree on this machine to options that widen what agents see and reach."),
    "consent list": Command(
        "consent:list_", "List what you agreed to in this workspace, and what the machine allows."
    ),
    "consent give": Command(
        "consent:give",
        "Agree to the options that a refusal listed with this code; others need another code.",
    ),
    "consent revoke": Command("consent:revoke", "Take a consent back; its beginning will do."),
    "secret": Group("Secrets that runs of this workspace were given; they lie in your own folder."),
    "secret list": Command(
        "secret:list_", "List the secrets of this workspace: where each stands, never its value."
    ),
    "secret set": Command(
        "secret:set_",
        "Give a secret again, for a workspace that was copied or moved; its value is read from the "
        "standard input.",
    ),
    "secret remove": Command(
        "secret:remove", "Forget a secret; work that needs it fails until it is given again."
    ),
    "workspace": Group("Take over a workspace of the original program."),
    "workspace import": Command(
        "workspace:import_",
        "Take over skills, baselines, projects and settings, and say what had to be repaired.",
    ),
    "index": Command(
        "index:index",
        "Read every file of the library anew, for lists and search; it may be done at any time.",
    ),
    "model-server": Command(
        "model_server:model_server",
        "Serve a scripted model on this machine until Ctrl-C; every request is a line on stderr.",
    ),
}
