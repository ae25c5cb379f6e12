"""Faults of other programs that tests of other folders show to be absent, since they need a real
agent, a browser, processes that are killed, or thousands of drawn experiments."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

ELSEWHERE = {
    # Programs that search for better skills and descriptions.
    "a candidate that is worse than the one before is taken": (
        "evaluate/test_trigger_describe.py::test_gains_that_losses_outweigh_are_no_gain"
    ),
    "the best of several is chosen on the queries that it is reported on": (
        "evaluate/test_race.py::test_no_case_is_raced_on_and_reported"
    ),
    "the author of a description sees the queries that are held out": (
        "evaluate/test_trigger_describe.py::test_the_author_never_sees_what_is_held_out"
    ),
    "the winner is flattered by the numbers it won with": (
        "stats/test_racing.py::test_equal_candidates_stay_and_the_winner_is_flattered_until_measured_anew"
    ),
    # Statistics.
    "who looks after every case finds a difference between equals one time in three": (
        "flows/test_adaptive_truth.py::"
        "test_the_same_arm_twice_is_called_different_one_time_in_twenty_at_most"
    ),
    "an interval of 95 % on a few runs covers 41 %": (
        "stats/test_ground_truth.py::test_rates_are_covered"
    ),
    "runs of one case are taken for cases": (
        "stats/test_comparison.py::test_these_cases_need_repeats_and_cases_like_these_need_cases"
    ),
    "five trials can never pass a test, and nobody says so": (
        "stats/test_signflip.py::test_five_cases_can_never_convince_and_six_can"
    ),
    # Agents.
    "skills and orders of folders above reach the agent": (
        "engines/test_claude_isolation.py::"
        "test_neither_case_files_nor_folders_above_configure_the_agent"
    ),
    "agents at once share a folder": (
        "engines/test_claude_isolation.py::test_six_trials_at_once_never_mix"
    ),
    "a stream without an end makes the agent ask for ever": (
        "engines/test_opencode_reader.py::test_streams_that_break_off_are_given_up"
    ),
    "an agent that hangs is never ended": (
        "engines/test_opencode_troubles.py::test_a_hang_can_be_cancelled_and_leaves_nothing"
    ),
    "a skill of the same name that is installed takes the place of the one on trial": (
        "evaluate/test_trigger.py::test_names_that_clash_are_refused_before_anything_runs"
    ),
    # Engines for tasks.
    "kill -9 loses what ran, and runs it twice": (
        "flows/test_jobs_survival.py::test_kill_9_loses_no_job_and_does_none_twice"
    ),
    "two servers on one workspace end each other's work": (
        "flows/test_jobs_survival.py::test_two_servers_do_each_job_once"
    ),
    "what a dead process began is stuck until that very process returns": (
        "flows/test_survival.py::test_the_survivor_takes_over"
    ),
    "two processes that meet a new database: one dies": (
        "stores/test_database.py::test_processes_that_meet_a_new_file_all_get_in"
    ),
    "an agent outlives the worker that was killed, and runs beside its successor": (
        "stores/test_owners.py::test_an_agent_that_outlives_us_does_not_keep_us_alive"
    ),
    # Servers and pages.
    "the end of the server waits for every job": (
        "flows/test_jobs_survival.py::test_a_server_that_ends_leaves_its_jobs_to_the_next"
    ),
    "six tabs with live events block the seventh": (
        "e2e/test_connection.py::test_twelve_tabs_keep_working"
    ),
    "events are lost when a reader is cut off": (
        "flows/test_evaluation.py::"
        "test_a_client_that_is_cut_off_again_and_again_hears_everything_once"
    ),
    "a session of 50 MB takes 1.5 GB of memory": (
        "flows/test_sessions.py::test_a_large_log_stays_small_in_memory"
    ),
    "help takes two seconds": (
        "repo/test_startup.py::test_help_loads_neither_server_nor_database_nor_mathematics"
    ),
}


@pytest.mark.parametrize("fault", ELSEWHERE)
def test_a_fault_is_looked_for_where_it_is_said_to_be(fault: str) -> None:
    path, name = ELSEWHERE[fault].split("::")
    tree = ast.parse((TESTS / path).read_text())
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
