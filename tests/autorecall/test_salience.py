from __future__ import annotations

from collections import Counter
from random import Random

from sklearn.feature_extraction.text import TfidfVectorizer

from memlab import compose_query, salient_terms
from memlab.autorecall import Draft
from tests.autorecall.toys import Toy, said

CORPUS = [
    "the deploy of the server is quick",
    "the database is PostgreSQL and the host is hammer",
    "the feed of the Gazette is new",
]


def test_telling_words_win_over_common_ones() -> None:
    talk = ["is the deploy of the database slow"]
    assert compose_query(talk, strategy=salient_terms(CORPUS, 2)).text == "deploy database"
    query = compose_query(talk, strategy="salient terms", corpus=CORPUS)
    assert query.text == "is the deploy of database"
    assert compose_query(talk, 3, 12, strategy=salient_terms(CORPUS)).text == "is the"
    assert query.strategy == "salient terms"


def test_words_that_nothing_holds_are_asked_only_where_there_is_no_other() -> None:
    salient = salient_terms(CORPUS)
    assert compose_query(["zebra deploy"], strategy=salient).text == "deploy"
    assert compose_query(["zebra quagga"], strategy=salient).text == "zebra quagga"
    assert compose_query(["!?"], strategy=salient).text == "!?"


def test_context_counts_and_roles_do_not() -> None:
    talk = said("the host hammer is down", "hammer? it is up", "why?")
    corpus = [*CORPUS, "user assistant why context prior", "up and down it is"]
    assert compose_query(talk, 3, strategy=salient_terms(corpus, 2)).text == "host hammer"


def test_as_many_whole_words_as_fit() -> None:
    assert (
        compose_query(["deploy database"], 1, 14, strategy=salient_terms(CORPUS)).text == "deploy"
    )


def test_the_corpus_is_read_once_and_late() -> None:
    class Bank(Toy):
        reads = 0

        def memories(self):  # type: ignore[no-untyped-def]
            type(self).reads += 1
            return [said(text).messages[0] for text in CORPUS]

    salient = salient_terms(Bank())
    assert Bank.reads == 0
    for _ in range(3):
        assert compose_query(["the deploy"], strategy=salient).text == "the deploy"
    assert Bank.reads == 1


def test_the_weights_are_those_of_scikit_learn(seed: int) -> None:
    rng = Random(f"salience {seed}")
    words = [f"w{number}" for number in range(30)]
    for _ in range(20):
        corpus = [" ".join(rng.choices(words, k=12)) for _ in range(25)]
        prompt = " ".join(rng.choices(words, k=20))
        known = TfidfVectorizer(norm=None, token_pattern=r"\w+").fit(corpus)
        said_often = Counter(prompt.split())
        weighed = zip(known.get_feature_names_out(), known.idf_ - 1, strict=True)
        weights = {word: said_often[word] * weight for word, weight in weighed}
        chosen = salient_terms(corpus, 5)(Draft(prompt)).split()
        left = [word for word in set(prompt.split()) - set(chosen) if word in weights]
        assert min(weights[word] for word in chosen) >= max(weights[word] for word in left) - 1e-9
