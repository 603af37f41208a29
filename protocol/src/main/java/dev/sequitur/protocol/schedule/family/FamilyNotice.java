package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.FamilyKind;

/** What a family tells the queue's listeners, such as the events that its specification names. */
public interface FamilyNotice {
  FamilyKind family();
}
