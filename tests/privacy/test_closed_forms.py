"""Every closed form against brute force over the channel of the whole record, to 1e-12."""

from math import isinf, log, prod

import numpy as np
import pytest

from deniable.channel.channel import patterns
from deniable.design import Design
from deniable.privacy.population import Population
from deniable.privacy.report.measure_privacy import measure_privacy
from oracle.simulated import whole_matrix
from privacy.designs import Floats, random_design, random_people, whole_prior

SEEDS = range(60)
EXACT = 1e-12


def joint(design: Design, population: Population) -> Floats:
    """``P(report, truth)`` of whole records."""
    together: Floats = whole_matrix(design) * whole_prior(population)
    return together


def places(design: Design, names: tuple[str, ...]) -> np.ndarray:
    """Number the pattern of some attributes in every pattern of the record."""
    cells = patterns(design.schema.sizes)
    number = np.zeros(len(cells), dtype=np.int64)
    for name in names:
        position = design.schema.position(name)
        number = number * design.schema.sizes[position] + cells[:, position]
    return number


def best_guess(design: Design, table: Floats, names: tuple[str, ...]) -> float:
    """For each report add up the truths that agree on the names; take the largest."""
    place = places(design, names)
    by_pattern = np.stack([table[:, place == p].sum(axis=1) for p in range(place.max() + 1)])
    return float(by_pattern.max(axis=0).sum())


def ratio(matrix: Floats) -> float:
    """The largest ratio of chances of one report, over all pairs of truths."""
    largest = 1.0
    for row in matrix:
        for one in row:
            for other in row:
                if one > 0:
                    largest = max(largest, np.inf if other == 0 else one / other)
    return float(largest)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("source", ["even", "records"])
def test_guesses_are_those_of_enumeration(seed: int, source: str) -> None:
    design = random_design(seed)
    people = Population.even(design.schema)
    if source == "records":
        people = Population.of_records(random_people(design, seed))
    table = joint(design, people)
    report = measure_privacy(design, people)
    disguised = tuple(name for group in design.groups for name in group.names)
    assert report.record.guess == pytest.approx(best_guess(design, table, disguised), abs=EXACT)
    for group in report.groups:
        assert group.guess == pytest.approx(best_guess(design, table, group.names), abs=EXACT)
        for name, success in group.knowing.items():
            known = places(design, (name,))
            values = range(design.schema[name].size)
            expected = sum(
                best_guess(design, np.where(known == value, table, 0.0), group.names)
                for value in values
            )
            assert success == pytest.approx(expected, abs=EXACT)
    for name, attribute in report.attributes.items():
        assert attribute.guess == pytest.approx(best_guess(design, table, (name,)), abs=EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_guessed_before_knows_the_public_attributes_only(seed: int) -> None:
    design = random_design(seed)
    people = Population.of_records(random_people(design, seed))
    prior, public = whole_prior(people), places(design, design.public)
    unseen = np.stack([np.where(public == p, prior, 0.0) for p in range(public.max() + 1)])
    report = measure_privacy(design, people)
    disguised = tuple(name for group in design.groups for name in group.names)
    assert report.record.before == pytest.approx(best_guess(design, unseen, disguised), abs=EXACT)
    for group in report.groups:
        assert group.before == pytest.approx(best_guess(design, unseen, group.names), abs=EXACT)
    for name, attribute in report.attributes.items():
        assert attribute.before == pytest.approx(best_guess(design, unseen, (name,)), abs=EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_epsilon_is_the_largest_log_ratio(seed: int) -> None:
    design = random_design(seed)
    report = measure_privacy(design)
    for group, found in zip(design.groups, report.groups, strict=True):
        channel = group.channel
        expected = log(ratio(channel.matrix(range(len(group.names)))))
        assert found.epsilon == pytest.approx(expected, abs=EXACT)
        for position, name in enumerate(group.names):
            alone = log(ratio(channel.matrix([position])))
            assert report.attributes[name].epsilon == pytest.approx(alone, abs=EXACT)
    whole = sum(group.epsilon for group in report.groups)
    assert report.record.epsilon == pytest.approx(whole, abs=EXACT)
    if not design.public and not isinf(whole):
        assert whole == pytest.approx(log(ratio(whole_matrix(design))), abs=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_pse_is_the_posterior_guesser_s_chance_of_being_wrong(seed: int) -> None:
    design = random_design(seed)
    people = Population.of_records(random_people(design, seed))
    report = measure_privacy(design, people)
    for group in design.groups:
        for position, name in enumerate(group.names):
            C, prior = group.channel.matrix([position]), people.table([name])
            wrong = 0.0
            for r in range(len(C)):
                seen = sum(C[r, o] * prior[o] for o in range(len(prior)))
                for o in range(len(prior)):
                    if seen > 0:
                        wrong += prior[o] * C[r, o] * (1 - prior[o] * C[r, o] / seen)
            assert report.attributes[name].pse == pytest.approx(wrong, abs=EXACT)
    for found in report.groups:
        smallest = min(report.attributes[name].pse for name in found.names)
        assert found.pse == pytest.approx(smallest, abs=EXACT)


@pytest.mark.parametrize("seed", SEEDS)
def test_channels_send_guess_and_weigh_as_their_matrix_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for group in random_design(seed).groups:
        channel = group.channel
        C = channel.matrix(range(len(group.names)))
        table = rng.random((len(C), 3))
        assert channel.send(table) == pytest.approx(C @ table, abs=EXACT)
        assert channel.send(table, transposed=True) == pytest.approx(C.T @ table, abs=EXACT)
        products = C[:, :, None] * table[None]
        best, truth = channel.guess(table)
        assert best == pytest.approx(products.max(axis=1), abs=EXACT)
        reached = np.take_along_axis(products, truth[:, None, :], 1)[:, 0]
        assert reached == pytest.approx(best, abs=EXACT)
        cells = patterns(channel.sizes)
        assert channel.chance(cells[:, None], cells[None]) == pytest.approx(C, abs=EXACT)
        assert len(cells) == prod(channel.sizes)


@pytest.mark.parametrize("seed", SEEDS)
def test_how_sure_a_reader_of_the_whole_report_can_become(seed: int) -> None:
    design = random_design(seed)
    people = Population.of_records(random_people(design, seed))
    table = joint(design, people)
    given = table.sum(axis=1) > 0
    report = measure_privacy(design, people)
    for name, attribute in report.attributes.items():
        place = places(design, (name,))
        for code, suspicion in enumerate(attribute.suspicions):
            after = table[:, place == code].sum(axis=1)[given] / table.sum(axis=1)[given]
            assert suspicion.before == pytest.approx(people.table([name])[code], abs=EXACT)
            assert suspicion.highest == pytest.approx(after.max(), abs=EXACT)
            assert suspicion.lowest == pytest.approx(after.min(), abs=EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_the_own_answer_is_read_with_the_public_attributes_in_mind(seed: int) -> None:
    design = random_design(seed)
    people = Population.of_records(random_people(design, seed))
    prior, public = whole_prior(people), places(design, design.public)
    report = measure_privacy(design, people)
    for group in design.groups:
        for position, name in enumerate(group.names):
            C, place = group.channel.matrix([position]), places(design, (name,))
            right = 0.0
            for pattern in range(public.max() + 1):
                shares = [prior[(place == v) & (public == pattern)].sum() for v in range(len(C))]
                right += float((C * np.array(shares)).max(axis=1).sum())
            found = report.attributes[name]
            assert found.guess_alone == pytest.approx(right, abs=EXACT)
            # Each step of knowledge helps: nothing, the own answer, the whole report.
            assert found.before is not None
            assert found.guess is not None
            assert found.before - EXACT <= found.guess_alone <= found.guess + EXACT


@pytest.mark.parametrize("seed", SEEDS)
def test_the_heaviest_report_over_every_conjunction(seed: int) -> None:
    for group in random_design(seed).groups:
        channel = group.channel
        reports = patterns(channel.sizes)
        heaviest = 0.0
        for wanted in patterns([size + 1 for size in channel.sizes]) - 1:  # ANY = −1
            if (wanted != -1).any():
                heaviest = max(heaviest, float(np.abs(channel.weights(wanted, reports)).max()))
        assert channel.heaviest() == pytest.approx(heaviest, rel=EXACT)


def test_a_known_value_conditions_the_population() -> None:
    for seed in SEEDS:
        design = random_design(seed)
        records = random_people(design, seed)
        name = design.groups[0].names[0]
        code = int(records.columns[design.schema.position(name)][0])
        value = design.schema[name].values[code]
        people = Population.of_records(records)
        prior = np.where(places(design, (name,)) == code, whole_prior(people), 0.0)
        table = whole_matrix(design) * (prior / prior.sum())
        report = measure_privacy(design, people, known={name: value})
        disguised = tuple(n for group in design.groups for n in group.names)
        expected = best_guess(design, table, disguised)
        assert report.record.guess == pytest.approx(expected, abs=EXACT)
        assert report.attributes[name].guess == pytest.approx(1.0, abs=EXACT)
