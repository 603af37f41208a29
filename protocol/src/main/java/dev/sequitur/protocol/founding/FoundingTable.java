package dev.sequitur.protocol.founding;

import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.ASKING_KEYS;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.ASKING_MEMBERS;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.CHECKING;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.ELSEWHERE;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.ENDING;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.FINDING;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.GONE;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.LOOKING;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.STORING;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.SUBMITTING;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.UNBEGUN;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.UNENDED;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.UNGIVEN;
import static dev.sequitur.protocol.founding.FoundingTable.FoundingPhase.UNMADE;

import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;
import java.util.Set;

/** What becomes of a group that this node is asked to make: as a table. */
public final class FoundingTable {
  /** How far a group is that this node makes. */
  public enum FoundingPhase {
    /** Whether it is stored already is asked of the node store. */
    FINDING,
    /** The nodes of its members are asked for their keys. */
    ASKING_KEYS,
    /** It is being stored. */
    STORING,
    /** The nodes of its members are asked whether they take part in it. */
    ASKING_MEMBERS,
    /** The base ledger is asked whether a block has its contract. */
    LOOKING,
    /** The base ledger is given its contract. */
    SUBMITTING,
    /** Its nonce is used: the base ledger is asked for what. */
    CHECKING,
    /** That it is never made is being stored. */
    ENDING,
    /** Nothing is stored of it: it waits to begin anew. */
    UNBEGUN,
    /** Another JVM of this node makes it, or has made it. */
    ELSEWHERE,
    /** A member's node has not said that it takes part: it waits for the next try. */
    UNGIVEN,
    /** Its contract does not stand: it waits for the next look. */
    UNMADE,
    /** That it is never made could not be stored: it waits for the next try. */
    UNENDED,
    /** It stands, has ended, or was given up: nothing is known of it here any more. */
    GONE
  }

  /** What happens to it. */
  public enum FoundingEvent {
    /** What was asked for is there. */
    GO_ON,
    /** What was asked for is not there now, or there is nothing to do but to wait. */
    WAIT,
    /** It is stored already, and another JVM may be at it. */
    FOUND,
    /** It is stored, and this JVM goes on with it. */
    TAKE_UP,
    /** Its nonce is used. */
    USED,
    /** It has waited for long enough. */
    DUE,
    /** It is never made. */
    NEVER,
    /**
     * It stands, or has ended, or its caller was told that it is not made and nothing is stored.
     */
    LET_GO
  }

  /** What a row does. */
  public enum Action {
    NOTHING,
    FIND,
    ASK_KEYS,
    STORE,
    ASK_MEMBERS,
    LOOK,
    SUBMIT,
    CHECK,
    /** Has it wait for its next turn. */
    PAUSE,
    /** Has it go on as soon as it can have a turn. */
    TURN,
    END,
    FORGET
  }

  private static final Set<FoundingPhase> NO_TURN =
      EnumSet.of(UNBEGUN, ELSEWHERE, UNGIVEN, UNMADE, UNENDED, ASKING_KEYS, ASKING_MEMBERS, GONE);

  public static final TransitionTable<FoundingPhase, FoundingEvent, Action> FOUNDING = table();

  private FoundingTable() {}

  /** Whether others may have their turn while it is in that: it waits, or asks other nodes. */
  static boolean needsNoTurn(FoundingPhase phase) {
    return NO_TURN.contains(phase);
  }

  private static TransitionTable<FoundingPhase, FoundingEvent, Action> table() {
    var builder =
        TransitionTable.of("new group", FoundingPhase.class, FoundingEvent.class, Action.NOTHING)
            .move(FINDING, FoundingEvent.GO_ON, ASKING_KEYS, Action.ASK_KEYS, "nothing is stored")
            .move(ASKING_KEYS, FoundingEvent.GO_ON, STORING, Action.STORE, "all keys are known")
            .move(
                STORING,
                FoundingEvent.GO_ON,
                ASKING_MEMBERS,
                Action.ASK_MEMBERS,
                "a restart takes it up")
            .move(
                ASKING_MEMBERS, FoundingEvent.GO_ON, LOOKING, Action.LOOK, "all of them take part")
            .move(LOOKING, FoundingEvent.GO_ON, SUBMITTING, Action.SUBMIT, "no block has it")
            .move(ENDING, FoundingEvent.GO_ON, GONE, Action.FORGET, "its end is stored")
            .impossible(
                others(FINDING, ASKING_KEYS, STORING, ASKING_MEMBERS, LOOKING, ENDING),
                FoundingEvent.GO_ON,
                "nothing was asked for that leads on")
            .move(
                EnumSet.of(FINDING, ASKING_KEYS, STORING),
                FoundingEvent.WAIT,
                UNBEGUN,
                Action.PAUSE,
                "nothing is stored, as far as is known")
            .move(
                ASKING_MEMBERS,
                FoundingEvent.WAIT,
                UNGIVEN,
                Action.PAUSE,
                "somebody has not answered, or not yet")
            .move(
                EnumSet.of(LOOKING, SUBMITTING, CHECKING),
                FoundingEvent.WAIT,
                UNMADE,
                Action.PAUSE,
                "until its contract stands")
            .move(ENDING, FoundingEvent.WAIT, UNENDED, Action.PAUSE, "it could not be stored")
            .impossible(
                EnumSet.of(UNBEGUN, ELSEWHERE, UNGIVEN, UNMADE, UNENDED, GONE),
                FoundingEvent.WAIT,
                "nothing was asked for")
            .move(FINDING, FoundingEvent.FOUND, ELSEWHERE, Action.PAUSE, "another JVM may be at it")
            .impossible(others(FINDING), FoundingEvent.FOUND, "nothing was looked for")
            .move(
                FINDING,
                FoundingEvent.TAKE_UP,
                UNGIVEN,
                Action.TURN,
                "whoever has stored it is gone, or does not get on")
            .impossible(others(FINDING), FoundingEvent.TAKE_UP, "nothing was looked for")
            .move(SUBMITTING, FoundingEvent.USED, CHECKING, Action.CHECK, "a block may have it")
            .impossible(others(SUBMITTING), FoundingEvent.USED, "nothing was submitted")
            .move(
                EnumSet.of(UNBEGUN, ELSEWHERE),
                FoundingEvent.DUE,
                FINDING,
                Action.FIND,
                "somebody may have stored it meanwhile")
            .move(
                UNGIVEN,
                FoundingEvent.DUE,
                ASKING_MEMBERS,
                Action.ASK_MEMBERS,
                "all of them are asked again")
            .move(UNMADE, FoundingEvent.DUE, LOOKING, Action.LOOK, "a block may have it by now")
            .move(UNENDED, FoundingEvent.DUE, ENDING, Action.END, "until it is stored")
            .impossible(
                others(UNBEGUN, ELSEWHERE, UNGIVEN, UNMADE, UNENDED),
                FoundingEvent.DUE,
                "it does not wait")
            .move(
                EnumSet.of(FINDING, ASKING_KEYS),
                FoundingEvent.NEVER,
                ENDING,
                Action.END,
                "what was asked for cannot be used")
            .move(
                EnumSet.of(ASKING_MEMBERS, UNGIVEN),
                FoundingEvent.NEVER,
                ENDING,
                Action.END,
                "a member's node takes no part, or it had ended before")
            .move(
                EnumSet.of(LOOKING, SUBMITTING, CHECKING),
                FoundingEvent.NEVER,
                ENDING,
                Action.END,
                "the base ledger never makes its contract")
            .impossible(
                EnumSet.of(STORING, UNBEGUN, ELSEWHERE, UNMADE, GONE),
                FoundingEvent.NEVER,
                "nobody was asked")
            .ignore(EnumSet.of(ENDING, UNENDED), FoundingEvent.NEVER, "it is known")
            .move(
                others(ENDING, GONE),
                FoundingEvent.LET_GO,
                GONE,
                Action.FORGET,
                "nobody waits for it here")
            .ignore(EnumSet.of(ENDING), FoundingEvent.LET_GO, "its end is on its way to the disk")
            .impossible(EnumSet.of(GONE), FoundingEvent.LET_GO, "it is forgotten");
    return builder.build();
  }

  private static Set<FoundingPhase> others(FoundingPhase first, FoundingPhase... rest) {
    return EnumSet.complementOf(EnumSet.of(first, rest));
  }
}
