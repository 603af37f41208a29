package dev.sequitur.protocol.founding;

import static dev.sequitur.protocol.port.ChangeStore.Phase.GATHERING;
import static dev.sequitur.protocol.port.ChangeStore.Phase.GIVING;
import static dev.sequitur.protocol.port.ChangeStore.Phase.IN_FORCE;
import static dev.sequitur.protocol.port.ChangeStore.Phase.JOINING;
import static dev.sequitur.protocol.port.ChangeStore.Phase.OVER;
import static dev.sequitur.protocol.port.ChangeStore.Phase.READING;
import static dev.sequitur.protocol.port.ChangeStore.Phase.SIGNING;
import static dev.sequitur.protocol.port.ChangeStore.Phase.WITHDRAWN;

import dev.sequitur.protocol.port.ChangeStore.Phase;
import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;
import java.util.Set;

/** What becomes of a change of a committee that this node's operator has agreed to: as a table. */
public final class ChangingTable {
  /** What happens to it. */
  public enum ChangingEvent {
    /** The group was read on the base ledger, and the change follows from it. */
    READ,
    /** This node's members have signed. */
    SIGNED,
    /** Enough members have signed, and all new keys. */
    ENOUGH,
    /** A final block has it. */
    TAKEN,
    /** The same, and with it this node is in the group. */
    LET_IN,
    /** What this node holds of the group is what the ledger shows. */
    JOINED,
    /** No block will take it any more. */
    PASSED,
    /** The operator takes it back. */
    WITHDRAW
  }

  /** Before the base ledger has it. */
  private static final Set<Phase> OPEN = EnumSet.of(READING, SIGNING, GATHERING, GIVING);

  private static final Set<Phase> ENDED = EnumSet.of(IN_FORCE, OVER, WITHDRAWN);

  public static final TransitionTable<Phase, ChangingEvent, Void> CHANGING =
      TransitionTable.of("change of a committee", Phase.class, ChangingEvent.class)
          .move(READING, ChangingEvent.READ, SIGNING, "the change follows from what is read")
          .ignore(EnumSet.of(SIGNING, GATHERING, GIVING), ChangingEvent.READ, "it was read before")
          .move(SIGNING, ChangingEvent.SIGNED, GATHERING, "others may sign meanwhile")
          .impossible(EnumSet.of(READING), ChangingEvent.SIGNED, "nothing is signed unread")
          .ignore(EnumSet.of(GATHERING, GIVING), ChangingEvent.SIGNED, "it was signed before")
          .move(GATHERING, ChangingEvent.ENOUGH, GIVING, "anybody may give it to the ledger")
          .ignore(
              EnumSet.of(READING, SIGNING),
              ChangingEvent.ENOUGH,
              "what this node signs comes first")
          .ignore(EnumSet.of(GIVING), ChangingEvent.ENOUGH, "more do no harm")
          .move(OPEN, ChangingEvent.TAKEN, IN_FORCE, "whoever has given it")
          .move(OPEN, ChangingEvent.LET_IN, JOINING, "its states are on the ledger and with others")
          .move(JOINING, ChangingEvent.JOINED, IN_FORCE, "contents that it lacks are asked for")
          .impossible(OPEN, ChangingEvent.JOINED, "no block has it")
          .ignore(EnumSet.of(JOINING), ChangingEvent.READ, "the base ledger has it")
          .ignore(EnumSet.of(JOINING), ChangingEvent.SIGNED, "the base ledger has it")
          .ignore(EnumSet.of(JOINING), ChangingEvent.ENOUGH, "the base ledger has it")
          .ignore(EnumSet.of(JOINING), ChangingEvent.TAKEN, "the base ledger has it")
          .ignore(EnumSet.of(JOINING), ChangingEvent.LET_IN, "the base ledger has it")
          .ignore(EnumSet.of(JOINING), ChangingEvent.PASSED, "the base ledger has it")
          .ignore(EnumSet.of(JOINING), ChangingEvent.WITHDRAW, "the base ledger has it")
          .move(OPEN, ChangingEvent.PASSED, OVER, "another one has its number, or it is late")
          .move(
              EnumSet.of(READING, SIGNING, GATHERING),
              ChangingEvent.WITHDRAW,
              WITHDRAWN,
              "signatures that others have stay with them")
          .ignore(EnumSet.of(GIVING), ChangingEvent.WITHDRAW, "the ledger may have it")
          .ignore(ENDED, ChangingEvent.READ, "it has ended")
          .ignore(ENDED, ChangingEvent.SIGNED, "it has ended")
          .ignore(ENDED, ChangingEvent.ENOUGH, "it has ended")
          .ignore(ENDED, ChangingEvent.TAKEN, "it has ended")
          .ignore(ENDED, ChangingEvent.LET_IN, "it has ended")
          .ignore(ENDED, ChangingEvent.JOINED, "it has ended")
          .ignore(ENDED, ChangingEvent.PASSED, "it has ended")
          .ignore(ENDED, ChangingEvent.WITHDRAW, "it has ended")
          .build();

  private ChangingTable() {}
}
