package dev.sequitur.schedule.family;

import dev.sequitur.schedule.FamilyKind;

/** What is to be changed of a schedule's terms, in its family's words; what it leaves out stays. */
public interface Revision {
  FamilyKind family();
}
