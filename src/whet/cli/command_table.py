"""Every command of the program: where it is, and the line that ``--help`` says of it."""

import re
from collections.abc import Iterator, Mapping
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


# A group is a name, a command a name and its function; what it does is indented.
_COMMANDS = """
demo = demo:demo
    Compare three sample skills on the built-in simulated agent and print the ranking.
eval (default run)
    Measure whether a skill helps: whet eval SKILL_DIR runs its evals/evals.json.
eval run = eval:run
    Run the evals of a skill with it and without it, and say whether it helps.
eval regrade = eval:regrade
    Grade the latest runs anew, with the suite as it is now; no agent is started.
eval race = eval_race:race
    Find the best of several skills, and measure the winner on evals that were held out.
eval init = eval_init:init
    Write a draft of evals/evals.json and evals/triggers.json for a skill.
eval review = eval_review:review
    Look at runs, blind, and say of each whether it passes; whatever you say is kept at once.
eval calibrate = eval_calibrate:calibrate
    Hold the judges against people's labels, and correct the pass rate by what comes of it.
eval feedback = eval_feedback:feedback
    Show what judges say of the suite, and the edits that follow; accept those you like.
skill
    Collect, find, check and pack skills.
skill lint = skill_lint:lint
    Hold a skill against the Agent Skills specification; exit code 1 if there are errors.
skill pack = skill_pack:pack
    Pack a skill into a .skill file; the same skill always gives the same file.
baseline
    Collect and find sets of cases.
baseline generate = baseline_generate:generate
    Let a model write cases for a new baseline; you say which of them are kept.
baseline case
    Single cases; each change is the next version of the baseline.
baseline case list = baseline_case:list_
    List the cases of the newest version.
baseline case add = baseline_case:add
    Add a case, or those of a file; all of them, or none.
baseline case edit = baseline_case:edit
    Change fields of a case.
baseline case remove = baseline_case:remove
    Take a case out; older versions keep it.
project
    Compare skills on baselines.
project create = project_edit:create
    Make a project of versions in the library: which skills, on which baselines, by whom.
project run = project_run:run
    Run a project to its end and print the ranking; what is on record is not run again.
project resume = project_run:run
    Go on with a project that was paused, stopped or killed: the same as run.
project pause = project_run:pause
    Let what is under way come to its end, and begin nothing else; run goes on with it.
project stop = project_run:stop
    End the agents that run for it, wherever they do; run goes on with it.
project status = project_run:status
    Say how far a project is, what failed, how long it takes and what it cost.
project watch = project_run:watch
    Follow a running project until it ends, whichever process runs it.
project retry = project_run:retry
    Want other answers for some results, or for those that failed; the next run gets them.
project list = project_list:list_
    List the projects, the newest first.
project show = project_show:show
    Show how a project is set up, and its ranking once it has one.
project results = project_results:results
    List results; with --skill and --case show one in full.
project rename = project_edit:rename
    Call a project otherwise; its folder keeps its name.
project archive = project_edit:archive
    Put a project out of the way; nothing is deleted.
project restore = project_edit:restore
    Take an archived project back.
project clone = project_edit:clone
    Make a new project of the same design, without results.
project export = project_export:export
    Write a project to a zip that can be imported elsewhere, or a report of it.
project import = project_export:import_
    Take a project in from a zip that was exported; nothing of it is run.
project adopt = project_edit:adopt
    Agree on this machine to what a project that came from elsewhere starts and may reach.
project compare = project_compare:compare
    Say which of two skills is better on the cases that both were tried on, and how sure.
project environment = project_environment:environment
    Show what a project is carried out with, or how two projects differ in that.
leaderboard (default show, also alone)
    How skills did in projects: `whet leaderboard`, in full `whet leaderboard show`.
leaderboard show = leaderboard:show
    Show the best results on each baseline, and which of them are outdated.
leaderboard history = leaderboard:history
    Show how a skill did over its versions and over time, on each baseline.
runs
    List, watch, pause, resume and stop runs of every kind, in whichever process.
runs list = runs:list_
    List runs, the newest first: projects, evals, capability runs, jobs, races and the like.
runs show = runs:show
    Show a run: how far it is, what it cost, and how it ended.
runs watch = runs:watch
    Follow a run to its end; exit code 1 unless that is completion.
runs pause = runs:pause
    Let what is under way come to its end, and start nothing more.
runs stop = runs:stop
    End the agents of a run now; what they had answered stays, and most runs can be resumed.
runs resume = runs:resume
    Go on with a run here; what is on record is not done again.
capability
    Measure what an agent can do: tools, logic, common knowledge, complex tasks.
capability sets = capability_sets:sets
    List the case sets, bundled ones and those of the workspace, and what is wrong with them.
capability lint = capability_lint:lint
    Look for mistakes in a case set; exit code 1 if there are errors.
capability coverage = capability_lint:coverage
    Show which tools, dimensions, languages, tags and checkers the cases of a set touch.
capability run = capability_run:run
    Run a case set on an agent, and print what it came to.
capability resume = capability_run:resume
    Go on with a run that was interrupted, killed or failed; what it has is not done again.
capability cancel = capability_run:cancel
    End a run for good, in whichever process it is; what it has is kept.
capability delete = capability_run:delete
    Remove runs with their items and folders; cancel one that is running first.
capability list = capability_list:list_
    List the runs, the newest first.
capability show = capability_show:show
    Show what a run came to, and why its cases failed; with --case one of them in full.
capability compare = capability_compare:compare
    Hold runs against the first of them: which cases flipped, and how far they are apart.
capability stability = capability_compare:stability
    Say how alike several runs of one set are: which cases flip, and how far the totals go.
capability export = capability_show:export
    Write a report of a run: a page, Markdown, a table, or all of it as JSON.
trigger
    Measure and improve when agents take a skill up.
trigger run = trigger:run
    Put queries to agents and see which of them make the agent take the skill up.
trigger optimize = trigger:optimize
    Look for a description by which agents take the skill up at the right times.
job
    Skills that are run with typed inputs: ask for them, wait, answer, take the files.
job run = job.run:run
    Run a skill with typed inputs in this process, and print what it came to as JSON.
job submit = job.submit:submit
    Ask for a job, or for many, that a server does, or whoever waits for it.
job list = job.list:list_
    List the jobs, the newest first.
job status = job.status:status
    Show where a job is, and what it waits for.
job wait = job.run:wait
    Wait for a job or a batch to end, and do it here if nobody else does; exit code 1 if it did
    not succeed.
job logs = job.logs:logs
    Show what the agent did, line by line.
job result = job.status:result
    Print what a job that is over came to, as JSON.
job reply = job.change:reply
    Answer an agent that waits; without VALUE and --file, show what it asks.
job cancel = job.change:cancel
    End a job for good, in whichever process it is.
job artifacts = job.artifacts:artifacts
    List the files that a job delivered, or write them into a folder.
job bundle = job.artifacts:bundle
    Write all that a job delivered into a zip; for debugging, also how it came about.
job case = job.change:case
    Make a job that succeeded a test case of a baseline.
job batch = job.batch:batch
    Show all jobs of a batch in one table.
job delete = job.change:delete
    Forget jobs that are over, with their files; their session logs stay.
run = job.run:run (hidden)
    The same as whet job run.
package
    Install skill packages that keep a contract: inputs, engines, outputs, files.
package install = package:install
    Install a package, or update it by a higher version; whole or not at all.
package list = package:list_
    List the installed packages, and what keeps some of them from being run.
package show = package:show
    Show what a package takes and promises: inputs, parameters, outputs, files.
package history = package:history
    List the versions of a package, the newest first.
package rollback = package:rollback
    Make what an older version said the next one, be its number lower.
package remove = package:remove
    Remove a package; it is archived, and nothing is deleted.
session
    What agents did, call by call, and what they are doing now.
session import = session.import_logs:import_
    Read logs of other programs into sessions; exit code 1 if one was refused.
session list = session.list:list_
    List the sessions, the newest first.
session search = session.list:search
    Find sessions and calls by words, and by what was done.
session show = session.show:show
    Show what an agent did, call by call, with its phases.
session annotate = session.annotate:annotate
    Say which phases a session has: by rule, by hand, or by asking an engine.
session stats = session.stats:stats
    Show where the time went, what failed, was repeated and was touched.
session compare = session.compare:compare
    Hold two sessions side by side, call by call, and say where they part.
session export = session.export:export
    Write a session as a page, Markdown, JSON or OpenTelemetry spans, without secrets.
session tail = session.tail:tail
    Follow an agent at work to its end, whichever process runs it; without ID, list what runs
    now. With --json each event is one line.
cassette
    Put trials into one file, or take them from one.
cassette export = cassette:export
    Write recorded trials into a cassette: answers, files, sessions and steps.
cassette import = cassette:import_
    Take the trials of a cassette into the workspace; they run nothing and cost nothing.
serve = serve:serve
    Serve the pages and the API until Ctrl-C. Anything but loopback needs WHET_TOKEN.
doctor = doctor:doctor
    Say which engines, sandbox, database and disk there are, and how to fix what is missing.
engine
    The agents that whet can drive.
engine list = engine:list_
    List the engines: installed or not, which version, and what is missing.
config
    Show and set what holds where a command names nothing.
config show = config:show
    Show every value, and where it comes from.
config set = config:set_
    Write values into cli/config.json of the workspace.
consent
    Agree on this machine to options that widen what agents see and reach.
consent list = consent:list_
    List what you agreed to in this workspace, and what the machine allows.
consent give = consent:give
    Agree to the options that a refusal listed with this code; others need another code.
consent revoke = consent:revoke
    Take a consent back; its beginning will do.
secret
    Secrets that runs of this workspace were given; they lie in your own folder.
secret list = secret:list_
    List the secrets of this workspace: where each stands, never its value.
secret set = secret:set_
    Give a secret again, for a workspace that was copied or moved; its value is read from the
    standard input.
secret remove = secret:remove
    Forget a secret; work that needs it fails until it is given again.
workspace
    Take over a workspace of the original program.
workspace import = workspace:import_
    Take over skills, baselines, projects and settings, and say what had to be repaired.
index = index:index
    Read every file of the library anew, for lists and search; it may be done at any time.
model-server = model_server:model_server
    Serve a scripted model on this machine until Ctrl-C; every request is a line on stderr.
"""

# What skills and baselines have in common; ``(kind)`` is a parameter of the function.
_LIBRARY = """
KIND import = library_import:import_KIND
    Take files and folders into the library; exit code 1 if something could not be taken.
KIND export = library_export:export_KIND
    Write one version into a file that can be imported again.
KIND list = library_find:list_KINDs
    List what is in the library, one page of it.
KIND show = library_show:show_KIND
    Show all that is known of one version: what it says, its tags and its other versions.
KIND search = library_find:search (kind)
    Look for words in names, tags, descriptions and contents, the best hit first.
KIND facets = library_find:facets (kind)
    Say which purposes, providers and tags there are, and how often.
KIND broken = library_find:broken (kind)
    List the folders that cannot be read, and why.
KIND edit = library_edit:edit_KIND
    Make the next version; without options, in your editor.
KIND versions = library_versions:versions (kind)
    List its versions, the newest first, and what each of them changed.
KIND diff = library_versions:diff (kind)
    Compare any two of its versions.
KIND rollback = library_edit:rollback (kind)
    Make what an older version said the next version; tags and status stay.
KIND adopt = library_edit:adopt (kind)
    Make what somebody wrote into its folder by hand the next version.
KIND archive = library_edit:archive (kind)
    Put them out of the way; nothing is deleted.
KIND restore = library_edit:restore (kind)
    Take archived ones back.
KIND suggest-purpose = library_assist:suggest_purpose (kind)
    Say whether a purpose is there already under another name.
KIND tag
    Tags: your own, and what you say to proposed ones.
KIND tag list = library_tag:list_ (kind)
    List every tag, also those that wait or were rejected.
KIND tag add = library_tag:add (kind)
    Add tags; all of them, or none.
KIND tag remove = library_tag:remove (kind)
    Take tags away; an approved one is rejected and stays on record.
KIND tag rename = library_tag:rename (kind)
    Put a tag that holds into other words.
KIND tag review = library_tag:review (kind)
    Say what becomes of proposed tags; without options, one after the other.
KIND tag auto = library_assist:auto (kind)
    Let a model propose tags, which wait for your review; exit code 1 if it failed.
"""

_HEAD = re.compile(r"(?P<name>[\w -]+?)(?: = (?P<function>[\w.]+:\w+))?(?: \((?P<mark>[\w ,]+)\))?")


def _read(table: str) -> Iterator[tuple[str, Group | Command]]:
    for entry in re.split(r"\n(?=\S)", table.strip()):
        first, *lines = entry.split("\n")
        head = _HEAD.fullmatch(first)
        assert head, first
        text, mark = " ".join(line.strip() for line in lines), head["mark"] or ""
        if head["function"] is None:
            default, _, alone = mark.removeprefix("default ").partition(", ")
            yield head["name"], Group(text, default or None, bool(alone))
        else:
            fixed = {"kind": head["name"].partition(" ")[0]} if mark == "kind" else {}
            yield head["name"], Command(head["function"], text, fixed, mark == "hidden")


def _commands() -> dict[str, Group | Command]:
    """The whole table; the commands of the library stand first in their groups."""
    found: dict[str, Group | Command] = {}
    for name, entry in _read(_COMMANDS):
        found[name] = entry
        if name in ("skill", "baseline"):
            found.update(_read(_LIBRARY.replace("KIND", name)))
    return found


COMMANDS = _commands()
