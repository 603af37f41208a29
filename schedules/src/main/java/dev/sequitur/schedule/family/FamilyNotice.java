package dev.sequitur.schedule.family;

import dev.sequitur.schedule.FamilyKind;
import java.util.List;
import java.util.Optional;

/** What a family tells the queue's listeners, such as the events that its specification names. */
public interface FamilyNotice {
  FamilyKind family();

  /**
   * Whose schedule it is about; empty if it is about none, or one that all who have the queue see.
   */
  Optional<Subject> about();

  /** What it tells of money, if it does (ACC-10). */
  default List<Posting> postings() {
    return List.of();
  }
}
