"""What a person does with their memories through an unmodified supabase-js, run by the machine's own Node."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from keepsake.local.servers.npm_packages import node, node_environment, supabase_cli
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.fixtures.tokens import person_token
from tests.rest.gateway import KEYS

SCRIPT = Path(__file__).with_name("as_a_browser.mjs")


@pytest.fixture
def ada(people: People) -> Account:
    return people.person("Ada")


@pytest.fixture
def said(people: People, ada: Account, project_url: str) -> dict[str, Any]:
    """What each step of the script got, in a browser where Ada is signed in."""
    supabase_cli()  # installs what package.json names, supabase-js among it, where it is not there yet
    people.memory(people.person("Eve"), "Plays the cello")
    given = {
        "url": project_url,
        "key": KEYS.publishable_key,
        "token": person_token(ada.user_id),
        "userId": str(ada.user_id),
        "food": str(people.memory(ada, "Favorite food is ramen", value="ramen", confidence_score=0.7)),
        "cello": str(people.memory(ada, "Plays the cello")),
    }
    people.memory(ada, "Wants to learn to sail", memory_type="goal")
    done = subprocess.run(
        [node(), SCRIPT, json.dumps(given)], env=node_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


def test_supabase_js__does_everything_a_person_may(said: dict[str, Any], ada: Account, db: Clone) -> None:
    """Read, find, edit, pin, confirm, forget, undo, restore and settings; and not what only the service may."""
    got = {name: answer["data"] for name, answer in said.items()}
    refused = {name: answer["error"] for name, answer in said.items() if answer["error"]}
    assert refused == {"forge": "42501", "insert": "42501", "delete": "42501"}

    texts = ["Name is Ada", "Favorite food is ramen", "Plays the cello", "Wants to learn to sail"]
    assert [row["memory_text"] for row in got["list"]] == texts
    assert {row["user_id"] for row in got["list"]} == {str(ada.user_id)}
    assert (said["count"]["count"], said["page"]["count"], got["page"]) == (4, 4, [{"memory_no": 4}])
    assert got["filter"] == [{"memory_text": "Wants to learn to sail"}]
    assert got["or"] == [{"memory_no": 1}, {"memory_no": 3}]
    assert got["fts"] == [{"memory_text": "Favorite food is ramen"}]
    assert [row["memory_text"] for row in got["search"]] == ["Plays the cello"]
    assert got["embed"] == {"memory_text": "Plays the cello", "user_profile_list": {"name": "Ada"}}

    edited = got["edit"]
    assert edited["memory_text"] == "Favorite food is shoyu ramen"
    assert (edited["source"], edited["confidence_score"], edited["value"]) == ("user", 1, None)
    assert got["pin"] == {"pinned": True, "importance": 3, "source": "rule_extraction"}
    assert [got[step]["affected"] for step in ("confirm", "forget", "undo", "restore")] == [1, 1, 1, 1]
    assert got["after forget"] == {"status": "deleted", "is_active": False}
    assert got["after undo"] == {"status": "active", "confidence_score": 1}
    assert got["overview"]["active"] == 4
    assert (got["settings"]["building"], got["settings"]["enabled"]) == (False, True)
    assert (got["settings again"]["building"], got["settings again"]["enabled"]) == (False, False)

    operations = db.all(
        "select operation_id from keepsake.changes where user_id = %s and actor = 'user'", (ada.user_id,)
    )
    named = {got[step]["operation_id"] for step in ("confirm", "forget", "undo", "forget again", "restore")}
    assert named < {str(row["operation_id"]) for row in operations}
