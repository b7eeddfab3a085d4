"""Simulated people, who answer a survey over HTTP exactly as its page does.

They ask for the survey, check its key, trade an invitation for a blind-signed token, disguise an
invented truth and send it, again and again the same bytes until it is acknowledged. They are for
demonstrations, for planning and for load.

What a simulation cannot show: whether real people understand the page, trust it and follow its
rules (here a given share does); whether the shares of a personal question are as its source says
(here they are, exactly); how answers of real people hang together; and what a network of many
addresses does, for all of these people share one.
"""

from deniable.respondents.crowd import Crowd
from deniable.respondents.invented_population import InventedPopulation
from deniable.respondents.simulation import SimulationOutcome, simulate, simulation

__all__ = ["Crowd", "InventedPopulation", "SimulationOutcome", "simulate", "simulation"]
