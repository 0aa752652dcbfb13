"""IAMBFDR's rounds in one kernel: ask about everyone, change one member, and ask again.

About every target some rounds are remembered: for a set of members, the answers that were given so
far. Others ask about the same target among other candidates, and meet the same sets again. A row
has a place for every variable: for a member, the answer given the other members; for all others,
that given the members; not a number where nobody has asked.

The rounds of a target are in a slot, which belongs to one thread at a time.
"""

import numpy as np

from h2pc._kernels import cells, growing
from h2pc._kernels._jit import beyond, borrowed, exchanged, kernel, only_part, part
from h2pc._kernels.answers import EXACT, LINKS, ask
from h2pc._kernels.members import ask_without_each
from h2pc._kernels.memory import hash_of_set
from h2pc._kernels.ordering import stable_order
from h2pc._kernels.sample import extended, opened, write

NOBODY, _TAKEN = -1, -2  # owners of a slot that are no target: free and empty, in use


@kernel()
def settled(
    codes, layout, reals, target, candidates, start, limits, owners, keys, rows, room, found
):
    """Change the members one at a time until nothing changes; write them to ``found``.

    The weakest member that is no discovery leaves; if there is none, the strongest outsider that is
    one enters. ``limits`` has the largest log p-value of a discovery by rank. What brings back
    members that have been there before is barred for good, and so is the target. ``owners`` tells
    whose rounds are in a slot, which are in ``keys`` and ``rows``; ``room`` is for counts. Returns
    how many members there are, and the number of questions.
    """
    view, rules = opened(codes, layout, reals)
    cells.check_variables(view, np.array([target]))
    cells.check_variables(view, candidates)
    cells.check_variables(view, start)
    slot = target % max(owners.size, 1)
    has_slot = _is_taken(owners, slot, target, keys)
    if has_slot:
        its_keys, its_rows = keys[slot], rows[slot]
    else:
        its_keys = np.zeros((keys.shape[1], 2), np.uint64)
        its_rows = np.empty((rows.shape[1], rows.shape[2]))
    n_members, n_tests = _settled(
        view, codes, rules, target, candidates, start, limits, its_keys, its_rows, room, found
    )
    if has_slot:
        exchanged(beyond(borrowed(owners), slot), _TAKEN, target)
    return n_members, n_tests


@part
def _is_taken(owners, slot, target, keys):
    """Take a slot, unless another thread has it; what it knows of other targets is forgotten."""
    if owners.size == 0:
        return False
    owner = owners[slot]
    if owner == _TAKEN or not exchanged(beyond(borrowed(owners), slot), owner, _TAKEN):
        return False
    if owner != target:
        keys[slot, :, :] = 0
    return True


@only_part
def _settled(view, like, rules, target, candidates, start, limits, keys, rows, room, found):
    """As :func:`settled`, with the rounds of the target; where the next one goes is in ``keys``."""
    is_out = np.ones(view.n_variables, np.bool_)  # neither a member nor barred
    is_out[start] = False
    is_out[target] = False
    members = start.copy()
    newcomer = np.int64(-1)
    seen = np.empty((16, 2), np.uint64)
    seen[0, 0], seen[0, 1] = hash_of_set(members)
    n_seen = 1
    asked = np.empty(candidates.size + start.size, np.int64)
    log_p = np.empty(asked.size)
    n_tests = 0
    counts = growing.begun(view, rules, target, candidates, start, room)
    # As a rule no limit lies above log alpha, and what is no link need not be told exactly.
    wanted = EXACT if limits.size > 0 and limits[-1] > rules.log_alpha else LINKS
    while True:
        n_outside = _outsiders(candidates, is_out, asked)
        n_asked = n_outside + members.size
        write(members, asked[n_outside:])
        row = _remembered(keys, rows, members)
        _fill(view, like, rules, target, asked[:n_asked], n_outside, members, row, counts, wanted)
        for i in range(n_asked):
            log_p[i] = row[asked[i]]
        n_tests += n_asked
        chosen = _chosen(asked[:n_asked], log_p[:n_asked], n_outside, limits, newcomer)
        if chosen < 0:
            write(members, found)
            return members.size, n_tests
        x = asked[chosen]
        enters = chosen < n_outside
        is_out[x] = not enters
        members = extended(members, x) if enters else _without(members, x)
        newcomer = x if enters else np.int64(-1)
        if _is_among(hash_of_set(members), seen, n_seen):
            members = _without(members, x)
            is_out[x] = False
            newcomer = np.int64(-1)
        if n_seen == len(seen):
            grown = np.empty((2 * n_seen, 2), np.uint64)
            write(seen.ravel(), grown.ravel())
            seen = grown
        seen[n_seen, 0], seen[n_seen, 1] = hash_of_set(members)
        n_seen += 1


@part
def _outsiders(candidates, is_out, asked):
    """Write the candidates that are out; return how many there are."""
    n = 0
    for x in candidates:
        asked[n] = x
        n += is_out[x]
        if n == asked.size:
            break
    return n


@part
def _without(members, x):
    return members[members != x]


@part
def _is_among(key, seen, n_seen):
    for i in range(n_seen):
        if seen[i, 0] == key[0] and seen[i, 1] == key[1]:
            return True
    return False


@part
def _remembered(keys, rows, members):
    """Row of these members; where there is none, a new one, over an old one if there is no room."""
    key = hash_of_set(members)
    for i in range(rows.shape[0]):
        if keys[i + 1, 0] == key[0] and keys[i + 1, 1] == key[1]:
            return rows[i]
    # The first rounds are those that most others share: only the later half makes room.
    place = np.int64(keys[0, 0])
    after = place + 1 if place + 1 < rows.shape[0] else rows.shape[0] // 2
    keys[0, 0] = np.uint64(after)
    keys[place + 1, 0], keys[place + 1, 1] = key
    rows[place, :] = np.nan
    return rows[place]


@part
def _fill(view, like, rules, target, asked, n_outside, members, row, counts, wanted):
    """Ask what the row does not know yet."""
    unknown = np.empty(n_outside, np.int64)
    n_unknown = 0
    for x in asked[:n_outside]:
        unknown[n_unknown] = x
        n_unknown += np.isnan(row[x])
        if n_unknown == n_outside:
            break
    unknown = unknown[:n_unknown]
    knows_members = True
    for x in members:
        knows_members &= not np.isnan(row[x])
    if n_unknown == 0 and knows_members:
        return
    is_grown = growing.grow_to(view, counts, target, members, n_unknown)
    answers = np.empty(max(n_unknown, members.size))
    if n_unknown > 0:
        if is_grown and growing.has_power(view, rules, members.size + 2):
            growing.ask_outsiders(view, rules, counts, unknown, answers, wanted)
        else:
            fixed = extended(members, target)
            no_details = np.empty((2, 0))
            ask(view, rules, fixed, members.size, unknown, answers, no_details, wanted, False)
        for i in range(n_unknown):
            row[unknown[i]] = answers[i]
    if not knows_members:
        if is_grown:
            growing.ask_members(view, rules, counts, answers)
        else:
            ask_without_each(view, like, rules, target, members, answers)
        for i in range(members.size):
            row[members[i]] = answers[i]


@part
def _chosen(asked, log_p, n_outside, limits, newcomer):
    """Position of the member that leaves, or else of the outsider that enters; -1 for neither.

    Ranks go by log p-value, then by position. Below the first limit everyone is a discovery,
    whatever its rank, and above the last one nobody is: mostly this settles it.
    """
    m = log_p.size
    if m == 0:
        return -1
    strongest, weakest = -1, -1
    for i in range(n_outside):
        if strongest < 0 or log_p[i] < log_p[strongest]:
            strongest = i
    for i in range(n_outside, m):
        if weakest < 0 or log_p[i] > log_p[weakest]:
            weakest = i
    if weakest < 0 or log_p[weakest] <= limits[0]:
        if strongest < 0 or log_p[strongest] > limits[m - 1]:
            return -1
        if log_p[strongest] <= limits[0]:
            return strongest
    return _chosen_by_rank(asked, log_p, n_outside, limits, newcomer)


@part
def _chosen_by_rank(asked, log_p, n_outside, limits, newcomer):
    """The same as :func:`_chosen`, by the ranks of all that may be discoveries."""
    m = log_p.size
    low = np.flatnonzero(log_p <= limits[m - 1])
    order = low[stable_order(log_p[low])]
    is_discovery = np.zeros(m, np.bool_)
    entering = -1
    for rank in range(order.size):
        i = order[rank]
        is_discovery[i] = log_p[i] <= limits[rank]
        if entering < 0 and is_discovery[i] and i < n_outside:
            entering = i
    leaving = -1
    for i in range(n_outside, m):
        if is_discovery[i] or asked[i] == newcomer:
            continue
        if leaving < 0 or (-log_p[i], asked[i]) < (-log_p[leaving], asked[leaving]):
            leaving = i
    return leaving if leaving >= 0 else entering
