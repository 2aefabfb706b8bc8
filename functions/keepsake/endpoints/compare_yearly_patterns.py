"""``compare-yearly-patterns``: compares a month of a person with the same month of the year before."""

from __future__ import annotations

from keepsake.contracts.compare_yearly_patterns import CompareYearlyPatternsRequest, CompareYearlyPatternsResponse
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.errors import InvalidInput, NotFound
from keepsake.identity import Caller
from keepsake.usecases.compare_yearly_patterns import MonthChoice
from keepsake.usecases.compare_yearly_patterns import compare_yearly_patterns as compare


@endpoint(
    callers=(Caller.SERVICE, Caller.PERSON),
    request=CompareYearlyPatternsRequest,
    responses={200: CompareYearlyPatternsResponse},
)
async def compare_yearly_patterns(call: Call[CompareYearlyPatternsRequest]) -> CompareYearlyPatternsResponse:
    """Compare a month with the same month of the year before, from the stored summaries."""
    body = call.body
    user_id = call.person.user_id if call.person else body.user_id
    if user_id is None:
        raise InvalidInput("The request body is not valid.", details="user_id: Say for whom")
    if body.user_id not in {None, user_id}:
        raise NotFound("There is no such person.")
    choice = MonthChoice(body.year, body.month) if body.year is not None and body.month is not None else None
    compared = await compare(call.resources, user_id=user_id, choice=choice)
    return CompareYearlyPatternsResponse.model_validate(compared)
