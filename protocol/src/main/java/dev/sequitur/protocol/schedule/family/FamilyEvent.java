package dev.sequitur.protocol.schedule.family;

/** A durable change of a {@link FamilyState}. */
public interface FamilyEvent {}
