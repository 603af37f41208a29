package dev.sequitur.schedule.family;

import dev.sequitur.schedule.DueKey;

/**
 * What a block looks at in a family's due order: first what is overdue, up to {@code readyFrom},
 * then what is ready, up to {@code end}. Each has its own limit, so that a backlog of the one never
 * crowds out the other.
 *
 * @param end exclusive
 * @param overdueLimit how many overdue ones are looked at
 * @param readyLimit how many are run
 */
public record Agenda(DueKey readyFrom, DueKey end, int overdueLimit, int readyLimit) {}
