package dev.sequitur.schedule.family;

/** What a family answers to an operation beyond yes or no: ids, numbers, codes of its text. */
public interface FamilyResult {}
