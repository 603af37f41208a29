package dev.sequitur.protocol.schedule.family;

/** What a family tells the queue's listeners, such as the events that its specification names. */
public sealed interface FamilyNotice permits MultiSignatureNotice {}
