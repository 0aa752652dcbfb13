"""Where fuzzing begins: files of the library's own writers, and nasty ones by hand."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from h2pc.algorithms.learn_result import LearnResult
from h2pc.graphs import Dag
from h2pc.io.dot import to_dot
from h2pc.networks import BayesianNetwork, load_network
from h2pc.networks.network_formats import network_text
from h2pc.runs.cells import RESULTS, CellResult, CellStore

CSV = "rain,lawn,depth\nyes,wet,1.5\nno,dry,2\nyes,?,\n"
ARFF = """% a file
@relation 'Some words: -C 2'
@attribute sea {0,1}
@attribute 'the sky' {'not blue', "bl\\'ue", '?'}
@attribute depth numeric
@attribute note string
@data
1,'not blue',2.5,"some, thing"
0,?,?,?
"""
SPARSE = ARFF.partition("@data")[0] + "@data\n{0 1, 1 'not blue', 2 2.5}\n{ }\n{2 ?,1 '?'}\n"
LABELS = '<?xml version="1.0"?>\n<labels>\n<label name="sea"><label name="b"/></label>\n</labels>\n'
KNOWN = {"required": [["a", "b"]], "forbidden": [["b", "c"]], "tiers": [["a"], ["b", "c"]]}
TOML = 'required = [["a", "b"]]\ntiers = [["a"], ["b"]]\n'

BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghij"))
    + "]>"
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
DEEP = 20_000
HUGE = "9" * 5000


def seeds_of(kind: str) -> list[bytes]:
    """Return the files that fuzzing of a kind of file begins with."""
    own = _WRITTEN[kind]()
    texts = [seed for seed in own if _is_text(seed)]
    packed = [pack(own[0]) for pack in (gzip.compress, bz2.compress, lzma.compress) if texts]
    return [*own, *packed, *(_damaged(texts[0]) if texts else ()), *_NASTY.get(kind, ()), b""]


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _damaged(text: bytes) -> list[bytes]:
    """Return a text with what editors, systems and transfers do to it."""
    word = text.decode()
    return [
        b"\xef\xbb\xbf" + text,
        word.encode("utf-16"),
        word.encode("utf-32"),
        text.replace(b"\n", b"\r\n"),
        text.replace(b"\n", b"\r"),
        text.replace(b"\n", b"\r\n", 1),
        text.replace(b"a", b"\0"),
        text.replace(b"a", b"\xed\xa0\x80"),  # half a character
        text.replace(b'"', b"'"),
        text.replace(b'"', b'""'),
        text + b"\0" * 100,
        text * 2,
        text[: len(text) // 2],
    ]


def _network(ending: str) -> list[bytes]:
    states = [["(-inf, 1.5]", "\n"], [False, True], [0, None]]
    odd = BayesianNetwork(Dag(["a b", ";", "c"], [[]] * 3), states, [[0.5, 0.5]] * 3)
    networks = (load_network("asia"), load_network("sachs"), odd)
    return [network_text(network, ending).encode() for network in networks]


def _results() -> list[bytes]:
    dag = load_network("asia").dag
    settings = {"alpha": 0.05, "tiers": (("asia",), ("tub",)), "targets": None}
    return [
        LearnResult(dag, skeleton, -12.5, 10, 20, 3, {"all": 0.5}, settings, seed)
        .to_json()
        .encode()
        for skeleton, seed in ((dag.skeleton(), None), (None, 7))
    ]


def _checkpoints() -> list[bytes]:
    with TemporaryDirectory() as folder:
        with CellStore(folder, ["network", "size"], {}) as store:
            for size in (50, 100):
                store.add(
                    ("asia", size), CellResult({"recall": 0.5, "edges": [1, 2]}, {"all": 0.1})
                )
        return [(Path(folder) / RESULTS).read_bytes()]


def _models() -> list[bytes]:
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

    from h2pc import BinaryRelevance, ClassifierChain, CompactForestClassifier, LabelPowerset
    from h2pc.multilabel.model_files import write_model

    X, Y = [[0], [1], [2], [3]] * 5, [[0, 0], [1, 0], [0, 1], [0, 0]] * 5
    found = []
    boosted = HistGradientBoostingClassifier(max_iter=1, min_samples_leaf=2)
    for model in (
        BinaryRelevance(CompactForestClassifier(2), random_state=0),
        ClassifierChain(CompactForestClassifier(2), random_state=0),
        LabelPowerset(RandomForestClassifier(2), random_state=0),
        BinaryRelevance(boosted, random_state=0),
    ):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            write_model(model.fit(X, Y), path)
            found.append(path.read_bytes())
    return found


def _parquet() -> list[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    ground = pa.array(["sand", None, "rock"])
    columns = {"ground": ground, "kind": ground.dictionary_encode(), "depth": [0.5, 1.5, None]}
    table = pa.table({**columns, "n": [3, 4, 3], "wet": [True, None, False]})
    encodings = {"ground": "DELTA_BYTE_ARRAY", "depth": "BYTE_STREAM_SPLIT"}
    encodings |= {"n": "DELTA_BINARY_PACKED", "wet": "RLE"}
    found = []
    for settings in (
        {},
        {"compression": "none", "use_dictionary": False},
        {"row_group_size": 1},
        {"compression": "zstd", "data_page_version": "2.0"},
        {"use_dictionary": False, "column_encoding": encodings, "data_page_version": "2.0"},
    ):
        out = io.BytesIO()
        pq.write_table(table, out, **settings)
        found.append(out.getvalue())
    return found


def _excel() -> list[bytes]:
    import polars as pl

    out = io.BytesIO()
    table = {"ground": ["sand", None, "rock"], "depth": [0.5, 1.5, None], "n": [3, 4, 3]}
    pl.DataFrame(table).write_excel(out)
    return [out.getvalue()]


def _texts() -> list[bytes]:
    """Return tables in the forms that programs write."""
    rows = [(f"P{i}", str(i), "x y" if i % 2 else "é", f"{i / 7:.2f}", "") for i in range(25)]
    names = ("name", "", "word", "x", "empty")
    found = []
    for sep in (",", ";", "\t", "|", "  "):
        text = "\n".join(sep.join(row) for row in (names, *rows))
        found += [text.encode(), text.replace(".", ",").encode("cp1252"), text.encode("utf-16-le")]
        found.append(f"# made\nsep={sep}\n{text}\n".replace("\n", "\r\n").encode("utf-16"))
    genes = "\n".join(
        "\t".join([f"G{i}", *(f"{i * j / 7:.3f}" for j in range(8))]) for i in range(12)
    )
    header = "\t".join(["gene", *(f"GSM{j}" for j in range(8))])
    found.append(f"{header}\n{genes}\n".encode())
    return [found[-1], *found]


def _indexed() -> list[bytes]:
    import pandas as pd

    frame = pd.DataFrame({"a": [0, 1] * 15, "x": [i / 7 for i in range(30)]})
    found = []
    for index in (None, list("ab") * 15, pd.Index(range(30), name="who")):
        out = io.BytesIO()
        (frame if index is None else frame.set_axis(index)).to_parquet(out)
        found.append(out.getvalue())
    return found


_WRITTEN: dict[str, Callable[[], list[bytes]]] = {
    "text": _texts,
    "text as rows": _texts,
    "checked csv": lambda: [*_texts(), CSV.encode()],
    "checked parquet": lambda: [*_indexed(), *_parquet()],
    "checked excel": lambda: _excel(),
    "csv": lambda: [CSV.encode(), b"a,b\n" + b"1,0\n2,1\n" * 30],
    "tsv": lambda: [CSV.replace(",", "\t").encode()],
    "arff": lambda: [ARFF.encode(), SPARSE.encode()],
    "parquet": _parquet,
    "excel": _excel,
    "label xml": lambda: [LABELS.encode()],
    "bif": lambda: _network(".bif"),
    "xmlbif": lambda: _network(".xml"),
    "json network": lambda: _network(".json"),
    "dot": lambda: [to_dot(load_network("asia").dag).encode(), b"graph{a--b [dir=none];c}"],
    "learn result": _results,
    "checkpoint": _checkpoints,
    "settings": lambda: [b'{"seed": 0, "sizes": [50, 100], "network": "asia"}\n'],
    "constraints": lambda: [json.dumps(KNOWN).encode()],
    "constraints toml": lambda: [TOML.encode()],
    "model": _models,
}

_DEEP_JSON = [b"[" * DEEP, b'{"a":' * DEEP, b"[" * 990 + b"]" * 990]
_NASTY: dict[str, list[bytes]] = {
    "csv": [
        b'"a\n' * 1000,
        b"a\n" + b'"' * 1001,
        b"a,a\n1,2\n",
        b"," * 10_000 + b"\n",
        b"x\n" + b"a" * 200_000,  # longer than the csv module likes
        f"x\n{HUGE}\n1e999\n-1e999\n1_0\n".encode(),
        b"x\n1e308\n-1e308\n0.5\n",
        b"x\n" + b"\n" * 1000,
        b"\n\n\nx\n1\n",
    ],
    "tsv": [b"x\ty\n" + b'"\t' * 1000, b"\t" * 10_000, b"x\n" + b"a" * 200_000],
    "arff": [
        f"@relation r -C {HUGE}\n@attribute x numeric\n@data\n1\n".encode(),
        f"@relation r\n@attribute x numeric\n@data\n{{{HUGE} 1}}\n".encode(),
        b"@relation r\n@attribute x {" + b"a," * 50_000 + b"b}\n@data\na\n",
        b"@relation r\n@attribute x numeric\n@data\n{99999999999 1}\n",
        b"@relation r\n@attribute x {}\n@data\n\n",
        b"@relation r\n@attribute x numeric\n@data\n1e308\n-1e308\n",
    ],
    "label xml": [
        (BOMB + '<labels><label name="&j;"/></labels>').encode(),
        (OUTSIDE + '<labels><label name="&a;"/></labels>').encode(),
        b"<labels>" + b"<label name='x'>" * DEEP,
        b"<?xml version='1.0' encoding='cp037'?><labels/>",
        b"<?xml version='1.0' encoding='nothing'?><labels/>",
        b"<?xml version='1.0' encoding='utf-7'?><labels/>",
    ],
    "bif": [
        b"variable x { type discrete [ 99999999999 ] { a, b }; }",
        f"variable x {{ type discrete [ {HUGE} ] {{ a }}; }}".encode(),
        b"/*" * DEEP,
        b'"' * 10_001,
        b"network x {" + b"{" * DEEP,
        b"variable x { type discrete [1] { a }; } probability (x) { table nan; }",
        b"variable x { type discrete [2] { a b }; } probability (x) { table 1e999, -1e999; }",
    ],
    "xmlbif": [
        (BOMB + "<BIF><NETWORK>&j;</NETWORK></BIF>").encode(),
        (OUTSIDE + "<BIF><NETWORK>&a;</NETWORK></BIF>").encode(),
        b"<BIF>" + b"<VARIABLE>" * DEEP,
        b"<?xml version='1.0' encoding='cp037'?><BIF/>",
        b"<?xml version='1.0' encoding='nothing'?><BIF/>",
        b"<?xml version='1.0' encoding='utf-7'?><BIF/>",
        b"<BIF><NETWORK><VARIABLE><NAME>x</NAME></VARIABLE><DEFINITION><FOR>x</FOR><TABLE/>"
        b"</DEFINITION></NETWORK></BIF>",
        b"<BIF><VARIABLE><NAME>x</NAME><OUTCOME>a</OUTCOME></VARIABLE><DEFINITION><FOR>x</FOR>"
        b"<GIVEN>x</GIVEN><TABLE>1</TABLE></DEFINITION></BIF>",
    ],
    "json network": [
        *_DEEP_JSON,
        f'{{"format":"h2pc-network","version":1,"variables":[{HUGE}]}}'.encode(),
        b'{"format":"h2pc-network","version":1,"variables":[{"name":"\\ud800"}]}',
    ],
    "dot": [
        b"graph {" * DEEP,
        b'"' * 10_001,
        b"<" * 5_000,
        b"/*" * 5_000,
        b"digraph { " + b"a -> " * DEEP,
        b'digraph { "\\' + b"\\" * 10_001,
    ],
    "learn result": [
        *_DEEP_JSON,
        b'{"format":"h2pc-result","version":1,"names":["a"],"edges":[],"skeleton":null,"score":1,'
        b'"n_tests":1,"n_scores":1,"n_moves":1,"seconds":{"a":NaN},"settings":{"a":Infinity}}',
        b'{"format":"h2pc-result","version":1,"names":["\\ud800"],"edges":[],"skeleton":null,'
        b'"score":1,"n_tests":1,"n_scores":1,"n_moves":1,"seconds":{},"settings":{}}',
    ],
    "checkpoint": [
        *(deep + b"\n" for deep in _DEEP_JSON),
        b'{"network":NaN,"size":1}\n{"network":"a","size":1}\n',
        b'{"network":"a","size":1,"recall":Infinity}\n',
        b'{"network":"\\ud800","size":1}\n',
        b'{"network":null,"size":1}\n{"network":"a","size":1}\n',
        b'{"network":{},"size":1}\n{"network":[],"size":1}\n',
        f'{{"network":"a","size":{HUGE}}}\n'.encode(),
    ],
    "settings": [*_DEEP_JSON, b"[]", b"NaN", HUGE.encode(), b'{"a":"\\ud800"}'],
    "constraints": [*_DEEP_JSON, b"[]", b'{"tiers":[["\\ud800"]]}', b'{"required":[["a"]]}'],
    "constraints toml": [
        b"a=" + b"[" * DEEP,
        b"a." * 5_000 + b"b=1",
        b"[" * 5_000,
        f"a={HUGE}".encode(),
        b'tiers=[["\\ud800"]]',
        b"a=1979-99-99",
        b"a=1e9999\n",
    ],
    "model": [b"PK\x05\x06" + b"\0" * 18, b"PK\x05\x06" + b"\xff" * 18, b"PK\x03\x04"],
}
