"""Where answers differ from real Gaffer's: by question, with what is left to compare and why.

A name in ``judging.RELATIONS`` says how elements may differ, one in ``repairs.REPAIRS`` what
Gaffer's answer is without its defect; everything else is compared. The few others are errors.
"""

from __future__ import annotations

# By graph: the outcome, the reason, and the questions that it is about.
DEVIATIONS: dict[str, list[tuple[str, str, list[str]]]] = {
    "basic": [
        ("no error, as in memory", "group-by may be any subset", ["all_view_groupby_not_prefix"]),
        ("any group-by", "group-by may be any subset", ["seeded_view_groupby_not_prefix"]),
        (
            "refused by name",
            "unknown names are refused",
            [
                "all_view_properties_unknown",
                "seeded_view_properties_unknown",
                "all_view_filter_unknown_property",
                "seeded_view_filter_unknown_property",
                "all_view_skip_validation_unknown_property",
                "seeded_view_skip_validation_unknown_property",
            ],
        ),
    ],
    "concat": [
        (
            "order of texts",
            "order-dependent aggregators are canonical",
            ["all", "get_0", "get_0_groupby_none", "get_1", "get_1_groupby_none", "get_2"],
        ),
        ("given flags", "a missing property is absent", ["groupby_none", "get_2_groupby_none"]),
        ("given texts alone", "a missing property is absent", ["filter_missing_exists"]),
    ],
    "delete": [
        (
            "added again",
            "deleted elements can be added again",
            ["after_re_add", "fresh_get_readded", "after_add_again"],
        ),
    ],
    "delete_vis": [
        ("labels", "the label of merged elements is a conjunction", ["before"]),
        (
            "exactly deleted",
            "deletes are exact",
            ["after_1", "after_1_public", "after_2", "after_3", "after_4"],
        ),
    ],
    "firstlast": [
        (
            "first and last by time",
            "first is the first by time, last the last",
            [
                "all",
                "get_0",
                "get_1",
                "get_1_groupby_none",
                "after_add_one",
            ],
        ),
        (
            "by order",
            "first is the first by time, last the last",
            ["groupby_none", "get_0_groupby_none"],
        ),
    ],
    "longs": [
        (
            "seeds of any width",
            "all widths of a number are one id",
            ["integer_seed_no_match", "plain_number_input"],
        ),
    ],
    "props": [
        (
            "absent, empty parts",
            "a missing property is absent; empty text is a value",
            ["all", "more_s"],
        ),
        (
            "given alone",
            "a missing property is absent",
            [
                "exists_s",
                "exists_b",
                "exists_ts",
                "exists_fm",
                "exists_tsv",
                "exists_by",
            ],
        ),
        (
            "empty parts of ids",
            "empty text is a value",
            ["get_1", "get_2", "more_i", "more_l", "more_d", "more_f"],
        ),
        (
            "absent",
            "a missing property is absent",
            [
                "only_i",
                "only_l",
                "only_d",
                "only_f",
                "only_s",
                "only_b",
                "only_dt",
                "only_ts",
                "only_fm",
                "only_tv",
                "only_by",
                "only_al",
                "only_hm",
                "none",
            ],
        ),
        (
            "absent, empty parts",
            "a missing property is absent; empty text is a value",
            ["only_tsv", "more_dt"],
        ),
    ],
    "road": [
        (
            "sketches",
            "estimates come from another sketch",
            ["junction_4", "junction_5_cardinality"],
        ),
        (
            "true counts",
            "estimates come from another sketch",
            [
                "all",
                "all_groupby_none",
                "junction_0",
                "junction_0_cardinality",
                "junction_1",
                "junction_1_cardinality",
                "junction_2",
                "junction_2_cardinality",
                "junction_3",
                "junction_3_cardinality",
                "junction_4_cardinality",
                "junction_5",
            ],
        ),
    ],
    "validation": [
        (
            "without nulls",
            "null ids are refused, and so is what came with them",
            [
                "after_skip_null_source",
                "after_add_null_group",
                "after_skip_null_group",
                "after_add_null_vertex",
                "after_skip_null_vertex",
                "after_novalidate_negative_count",
                "after_novalidate_score_too_big",
                "after_novalidate_old_timestamp",
                "after_novalidate_lo_not_below_hi",
                "after_novalidate_undirected_but_must_be_directed",
                "after_novalidate_missing_property",
                "after_novalidate_extra_property",
            ],
        ),
        ("as before", "an edge in a group of vertices is refused", ["after_edge_in_entity_group"]),
    ],
    "vdouble": [
        ("numbers by size", "numbers order as numbers", ["range_0"]),
    ],
    "visibility": [
        (
            "labels",
            "the label of merged elements is a conjunction",
            [
                "all_none",
                "get_none",
                "groupby_none_none",
                "all_public",
                "get_public",
                "groupby_none_public",
                "all_private",
                "get_private",
                "groupby_none_private",
                "all_a",
                "get_a",
                "groupby_none_a",
                "all_b",
                "get_b",
                "groupby_none_b",
                "all_a_b",
                "get_a_b",
                "groupby_none_a_b",
                "all_public_private",
                "get_public_private",
                "groupby_none_public_private",
                "all_a_private",
                "get_a_private",
                "groupby_none_a_private",
                "all_public_private_a_b",
                "get_public_private_a_b",
                "groupby_none_public_private_a_b",
                "all_c",
                "get_c",
                "groupby_none_c",
                "after_bad_visibility",
            ],
        ),
        (
            "as without it",
            "grants are given by whoever opens a graph",
            ["auth_user_lacks_in_accumulo"],
        ),
    ],
    "vtsv": [
        (
            "empty parts of ids",
            "empty text is a value",
            [
                "all",
                "edge_seed",
                "edge_seed_reversed",
                "get_0",
                "get_1",
                "get_2",
                "get_3",
                "get_4",
                "get_5",
                "get_6",
                "get_7",
            ],
        ),
    ],
}
