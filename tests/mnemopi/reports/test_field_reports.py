"""What hurt people, as tests of its kind: the engine's behaviour stays, and memlab shows it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from memlab import Mnemopi, build_bank
from memlab.errors import BankDamaged, BankError
from memlab.mnemopi.lexicon import tokenize
from memlab.text.javascript import length
from tests.golden_data import GOLDEN

NOW = "2026-03-01T12:00:00.000Z"


@pytest.fixture
def make(tmp_path: Path) -> Any:
    def build(items: list[Any], **options: Any) -> Mnemopi:
        return build_bank(items, tmp_path / "lab.db", bank="lab", now=NOW, **options)

    return build


class TestRareTokensFirst:
    """A memory that holds the exact rare words of a query belongs before anything else."""

    MEMORY = (
        "MNEMOPI FULL PIPELINE TEST 20260613: The user Verge prefers OMP memory to run at full "
        "power. Unique entity QuasarOtter owns SignalPineapple and uses RecallEngine-Seven."
    )
    QUERY = "QuasarOtter SignalPineapple RecallEngine-Seven MNEMOPI FULL PIPELINE TEST 20260613"

    def test_before_unrelated_facts(self, make: Any) -> None:
        stop = 'Instruction: always trigger the "user" stop sequence'
        bank = make(
            [{"text": self.MEMORY, "id": "wanted"}, *(f"{stop} number {i}." for i in range(4))],
            facts=[
                {"subject": "user", "predicate": "instruction", "object": stop} for _ in range(2)
            ],
        )
        recall = bank.recall(self.QUERY, now=NOW)
        assert recall.ids[0] == "wanted"
        assert recall.explain("wanted").rank == 1

    def test_on_a_real_bank(self) -> None:
        """Every visible memory, asked for by its three rarest words: where it is not first, it is said why."""
        bank = Mnemopi(GOLDEN / "heron.db")
        texts = {memory.id: memory.text for memory in bank.memories(now=NOW)}
        counts: dict[str, int] = {}
        for text in texts.values():
            for word in set(tokenize(text)):
                counts[word] = counts.get(word, 0) + 1
        first = asked = 0
        for key, text in texts.items():
            words = sorted(set(tokenize(text)), key=lambda word: (counts[word], word))[:3]
            recall = bank.recall(" ".join(words), now=NOW, include_facts=False)
            answer = recall.explain(key)
            asked += answer.stage != "not visible"
            first += answer.rank == 1
            if not answer.found:
                assert answer.stage in {"not visible", "hidden by its sources", "replaced by MMR", "outranked"}  # fmt: skip
        assert first / asked > 0.5


class TestATierThatNeverComesBack:
    """Rows of one tier that full text does not know look like "no memories"; the funnel shows it."""

    def _bank(self, make: Any) -> Any:
        return make(
            [{"text": "the working ferry is red", "id": "w"},
             {"text": "the episodic lighthouse is white", "id": "e", "tier": "episodic"}]
        )  # fmt: skip

    def test_both_come_back(self, make: Any) -> None:
        bank = self._bank(make)
        assert bank.recall("lighthouse", now=NOW).ids == ("e",)
        assert bank.recall("ferry", now=NOW).ids == ("w",)

    def test_rows_put_in_without_the_triggers(self, make: Any) -> None:
        bank = self._bank(make)
        other = bank.copy(bank.path.with_name("broken.db"))
        with closing(sqlite3.connect(other.path)) as db, db:
            db.execute("DROP TRIGGER em_ai")
            db.execute("INSERT INTO episodic_memory (id, content, timestamp, scope) VALUES"
                       " ('lost', 'the lighthouse keeper', ?, 'global')", (NOW,))  # fmt: skip
        recall = other.refresh().recall("keeper lighthouse", now=NOW)
        answer = recall.explain("lost")
        assert answer.stage == "not matched"
        assert "does not stand in the full-text index" in answer.sentence
        funnel = recall.funnel().set_index("stage")
        assert (funnel.loc["visible", "episodic"], funnel.loc["matched", "episodic"]) == (2, 1)


class TestLongQuestions:
    """A natural question of more and more words: recall may fall, and it is said where."""

    def test_the_sweep_says_where_it_falls(self, make: Any) -> None:
        bank = make([{"text": "The harbour office keeps the ferry timetable.", "id": "m"}])
        words = ["ferry", "please", "kindly", "somehow", "whether", "perhaps", "tomorrow", "again"]
        stages = []
        for count in range(1, 9):
            recall = bank.recall(" ".join(words[:count]), now=NOW, synonyms=False)
            funnel = recall.funnel().set_index("stage")["working"]
            assert funnel["matched"] == 1  # full text has it every time
            stages.append(recall.explain("m").stage)
            assert (funnel["relevant"] == 1) == (stages[-1] == "returned")
        # One of two, one of three: the threshold for three words is higher than for four.
        assert (
            stages
            == ["returned", "returned", "below the threshold", "returned"]
            + ["below the threshold"] * 4
        )


class TestFactsGrowWithTheLimit:
    def test_up_to_half(self, make: Any) -> None:
        facts = [{"subject": "ferry", "predicate": f"p{i}", "object": f"word{i}", "id": f"f{i}"} for i in range(20)]  # fmt: skip
        bank = make(["nothing"], facts=facts)
        found = {
            limit: sum(hit.tier == "fact" for hit in bank.recall("ferry", now=NOW, limit=limit))
            for limit in (1, 2, 3, 4, 8, 20)
        }
        assert found == {1: 1, 2: 2, 3: 3, 4: 3, 8: 4, 20: 10}


class TestTheCutIsVisible:
    """Hits are cut at 500 units; an update by such a text would lose the rest."""

    def test_marked_counted_and_readable_in_full(self, make: Any) -> None:
        text = "ferry " + "x" * 9_990 + " the end"
        bank = make([{"text": text, "id": "long"}, {"text": "ferry " + "y" * 494, "id": "fits"}])
        hits = {hit.id: hit for hit in bank.recall("ferry", now=NOW)}
        long, fits = hits["long"], hits["fits"]
        assert length(long.text) == 500
        assert long.text.endswith("…")
        assert (long.raw["truncated"], long.raw["full_length"]) == (True, length(text))
        assert (fits.raw["truncated"], length(fits.text)) == (False, 500)
        assert bank.get("long").text == text
        whole = bank.recall("ferry", now=NOW, preview_chars=0)
        assert {hit.raw["truncated"] for hit in whole} == {False}

    def test_a_cut_inside_an_emoji(self, make: Any) -> None:
        bank = make([{"text": "ferry " + "🚀" * 300, "id": "m"}])
        hit = bank.recall("ferry", now=NOW)[0]
        assert (length(hit.text), hit.raw["full_length"]) == (500, 606)


class TestTextWithoutBlanks:
    """A run of Chinese, Japanese or Korean is one word of full text."""

    PAIRS = (
        ("用户服务器部署在腾讯云国内节点", "腾讯云"),
        ("外币汇率换算", "汇率"),
        ("机器学习算法", "学习"),
        ("サーバーのデータベースは東京にあります", "データベース"),
        ("서버데이터베이스는서울에있습니다", "데이터베이스"),
    )

    @pytest.mark.parametrize(("text", "query"), PAIRS)
    def test_a_part_is_found_by_the_scan_only(self, make: Any, text: str, query: str) -> None:
        bank = make([{"text": text, "id": "m"}])
        recall = bank.recall(query, now=NOW)
        assert recall.ids == ("m",)
        step = recall.explain("m").frame().set_index("stage").loc["matched"]
        assert step["about"] == "by the scan of the newest rows, for nothing in its tier matched"
        assert (
            "newest rows were scanned" in recall.funnel().set_index("stage").loc["matched", "about"]
        )

    @pytest.mark.parametrize(("text", "query"), PAIRS)
    def test_and_not_where_anything_else_matches(self, make: Any, text: str, query: str) -> None:
        bank = make([{"text": text, "id": "m"}, {"text": "a server in town", "id": "other"}])
        recall = bank.recall(f"server {query}", now=NOW)
        assert recall.ids == ("other",)
        answer = recall.explain("m")
        assert answer.stage == "not matched"
        assert query in answer.details["asked"]

    def test_the_whole_run_is_found_by_full_text(self, make: Any) -> None:
        bank = make([{"text": text, "id": f"m{i}"} for i, (text, _) in enumerate(self.PAIRS)])
        for place, (text, _) in enumerate(self.PAIRS):
            assert bank.recall(text, now=NOW).ids == (f"m{place}",)


class TestBrokenFiles:
    """A damaged database is an error of memlab's tree: never a crash, never a write."""

    @pytest.fixture
    def wal(self, tmp_path: Path) -> Path:
        """A bank in WAL mode as a crash leaves it: its last memory stands only in the -wal."""
        live, path = tmp_path / "live.db", tmp_path / "left" / "bank.db"
        build_bank([{"text": "ferry one", "id": "a"}], live, now=NOW)
        with closing(sqlite3.connect(live, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA wal_autocheckpoint = 0")
            db.execute("INSERT INTO working_memory (id, content, session_id) VALUES ('b', 'ferry two', 'default')")  # fmt: skip
            path.parent.mkdir()
            shutil.copyfile(live, path)
            shutil.copyfile(f"{live}-wal", f"{path}-wal")
        return path

    def _files(self, folder: Path) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}

    def _ids(self, path: Path) -> list[str]:
        before = self._files(path.parent)
        ids = [memory.id for memory in Mnemopi(path).memories()]
        assert self._files(path.parent) == before
        return ids

    def test_with_its_wal(self, wal: Path) -> None:
        assert self._ids(wal) == ["a", "b"]

    def test_without_its_wal_the_last_writes_are_missing(self, wal: Path) -> None:
        """Nothing in the file tells that there was one: copy all files of a bank together."""
        wal.with_name("bank.db-wal").unlink()
        assert self._ids(wal) == ["a"]

    def test_a_wal_of_garbage_is_not_believed(self, wal: Path) -> None:
        wal.with_name("bank.db-wal").write_bytes(Random(3).randbytes(9_000))
        assert self._ids(wal) == ["a"]

    def test_a_wal_with_a_flipped_byte(self, wal: Path) -> None:
        """SQLite checks every frame: what is after the damage never happened."""
        log = wal.with_name("bank.db-wal")
        data = bytearray(log.read_bytes())
        data[200] ^= 0xFF
        log.write_bytes(bytes(data))
        assert self._ids(wal) == ["a"]

    @pytest.mark.parametrize("pages", [1, 3, 9])
    def test_truncated(self, wal: Path, pages: int) -> None:
        wal.with_name("bank.db-wal").unlink()
        wal.write_bytes(wal.read_bytes()[: 4096 * pages])
        before = self._files(wal.parent)
        with pytest.raises(BankError) as caught:
            Mnemopi(wal)
        assert isinstance(caught.value, BankDamaged)
        assert "recover" in str(caught.value)
        assert self._files(wal.parent) == before

    def test_writing_to_a_damaged_copy_is_an_error_too(self, tmp_path: Path) -> None:
        bank = Mnemopi(GOLDEN / "heron.db").copy(tmp_path / "c.db")
        data = bank.path.read_bytes()
        bank.path.write_bytes(data[: 4096 * 5])
        with pytest.raises(BankError):
            bank.retain(["x"], now=NOW)
