/**
 * Tasks that run at times of their own choice, or again and again (docs/rules/recurring.md). Begin
 * with {@link dev.sequitur.schedule.recurring.Recurring}.
 */
package dev.sequitur.schedule.recurring;
