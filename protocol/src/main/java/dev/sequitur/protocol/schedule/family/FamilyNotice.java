package dev.sequitur.protocol.schedule.family;

/** What a family tells the queue's listeners, such as the events that its specification names. */
public interface FamilyNotice {}
