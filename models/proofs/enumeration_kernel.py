"""A search for all models of linear constraints that writes down each decision and each dead end.

Literals are numbers: 2 v for the variable v, 2 v + 1 for its negation.
"""

from ...csp.base.compiled import kernel

#: What the log has besides the variables that the search chooses: that there is no (further) solution with all choices
#: so far; and a solution, followed by its true choices.
DEAD_END, SOLUTION = 0, -1
#: What happened to a search: it goes on, it is complete, or not all variables follow from the choices.
GOES_ON, COMPLETE, OPEN = 0, 1, 2


@kernel
def search(start, literals, needed, at, holders, items, is_choice, value, slack, true, trail, levels, state, log):
    """Go on with a search until it is complete or the log is full; the length of the log, and what happened.

    - `start`, `literals`, `needed`: the constraints: where the literals of each begin, and how many must be true.
    - `at`, `holders`: for each literal, where its constraints begin in `holders`.
    - `items`: the constraints whose literals are chosen from; `is_choice`: for each variable, whether it is in one.
    - `value`: which literals are true.
    - `slack`, `true`: how many more literals of a constraint may be false, and how many are true.
    - `trail`: the true literals; `levels`: for each choice its place there.
    - `state`: the length of the trail, how much of it has been propagated, and the number of choices.
    """
    size, done, depth = state
    used = 0
    dead = False
    if size < 0:  # the beginning
        size = 0
        for c in range(len(needed)):
            dead |= slack[c] < 0
            if slack[c] == 0:
                for i in range(start[c], start[c + 1]):
                    if not value[literals[i]]:
                        dead |= value[literals[i] ^ 1] != 0
                        value[literals[i]] = 1
                        trail[size] = literals[i]
                        size += 1
                    if dead:
                        break
            if dead:
                break
    while used < len(log) - len(trail) - 1:
        # Unit propagation: if the slack of a constraint is used up, its other literals are true.
        while done < size and not dead:
            literal = trail[done]
            done += 1
            for i in range(at[literal], at[literal + 1]):
                true[holders[i]] += 1
            literal ^= 1
            for i in range(at[literal], at[literal + 1]):
                c = holders[i]
                slack[c] -= 1
                if slack[c] < 0:
                    dead = True
                elif slack[c] == 0 and not dead:
                    for j in range(start[c], start[c + 1]):
                        if not value[literals[j]] and not value[literals[j] ^ 1]:
                            value[literals[j]] = 1
                            trail[size] = literals[j]
                            size += 1
        chosen, fewest = -1, len(value)
        if not dead:
            # The item with the fewest literals that are open.
            for c in items:
                if true[c] < needed[c] and slack[c] + needed[c] - true[c] < fewest:
                    chosen, fewest = c, slack[c] + needed[c] - true[c]
            if chosen < 0:
                if 2 * size + 2 != len(value):
                    return used, OPEN
                log[used] = SOLUTION
                used += 1
                for i in range(size):
                    if trail[i] & 1 == 0 and is_choice[trail[i] >> 1]:
                        log[used] = trail[i] >> 1
                        used += 1
                dead = True
        if dead:
            log[used] = DEAD_END
            used += 1
            if depth == 0:
                return used, COMPLETE
            depth -= 1
            literal = trail[levels[depth]] ^ 1
            while size > levels[depth]:
                size -= 1
                undone = trail[size]
                value[undone] = 0
                if size < done:
                    for i in range(at[undone], at[undone + 1]):
                        true[holders[i]] -= 1
                    undone ^= 1
                    for i in range(at[undone], at[undone + 1]):
                        slack[holders[i]] += 1
            done = size
            dead = False
        else:
            literal = literals[start[chosen]]
            for j in range(start[chosen], start[chosen + 1]):
                literal = literals[j]
                if not value[literal] and not value[literal ^ 1]:
                    break
            log[used] = literal >> 1
            used += 1
            levels[depth] = size
            depth += 1
        value[literal] = 1
        trail[size] = literal
        size += 1
    state[0], state[1], state[2] = size, done, depth
    return used, GOES_ON
