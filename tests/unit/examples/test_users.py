"""A row per user: all of it, some of it, and what others may not see."""

from __future__ import annotations

import pytest

from lexigraph.examples.users import USERS, load_users, read_user
from lexigraph.store import MemoryEngine, Table


@pytest.fixture
def users() -> Table:
    table = MemoryEngine().create_table("users")
    load_users(table, USERS.splitlines(), labels={"account-balance": "bank"})
    return table


def test_one_row_gives_all_attributes_of_one_user(users: Table) -> None:
    assert read_user(users, "ann", authorizations=["bank"]) == {
        "account-balance": "2500",
        "address": "1 Elm Street",
        "age": "41",
    }


def test_only_the_chosen_families_are_given(users: Table) -> None:
    assert read_user(users, "carla", "age", "address") == {"address": "9 Oak Avenue", "age": "35"}


def test_an_empty_field_is_no_cell(users: Table) -> None:
    assert read_user(users, "bob", "address") == {}


def test_a_column_with_a_label_is_hidden_from_others(users: Table) -> None:
    assert "account-balance" not in read_user(users, "ann")


def test_a_user_who_is_not_there_has_no_attributes(users: Table) -> None:
    assert read_user(users, "dora") == {}


def test_a_changed_attribute_replaces_the_old_one(users: Table) -> None:
    users.put("ann", "age", "", "42")
    assert read_user(users, "ann", "age") == {"age": "42"}
