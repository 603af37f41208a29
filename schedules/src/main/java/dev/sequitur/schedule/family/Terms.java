package dev.sequitur.schedule.family;

import dev.sequitur.schedule.FamilyKind;

/** The part of a schedule that only its family understands. */
public interface Terms {
  FamilyKind family();
}
