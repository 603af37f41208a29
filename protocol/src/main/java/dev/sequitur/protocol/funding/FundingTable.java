package dev.sequitur.protocol.funding;

import static dev.sequitur.protocol.funding.FundingTable.TransferState.NONE;
import static dev.sequitur.protocol.funding.FundingTable.TransferState.OFFERED;
import static dev.sequitur.protocol.funding.FundingTable.TransferState.WAITING;

import dev.sequitur.protocol.table.TransitionTable;
import java.util.EnumSet;
import java.util.Set;

/** The one transfer from the funding account that is on its way (FND-3): as a table. */
public final class FundingTable {
  /** How far it is. */
  public enum TransferState {
    /** Nothing was sent whose nonce no final block has used. */
    NONE,
    /** The pool was asked to take it, and has not answered. */
    OFFERED,
    /** The pool has answered. It is sent again until a final block has used its nonce. */
    WAITING
  }

  /** What happens to it. */
  public enum TransferEvent {
    /** A key has too little, and the account can pay. */
    NEEDED,
    /** A final block has not used its nonce. */
    UNUSED,
    /** The same, and it was offered at its fees for long. */
    OVERDUE,
    /** A final block has used its nonce. */
    USED,
    /** In the newest final block, the account has yet to use a nonce before it. */
    AHEAD,
    /** A pool has it. */
    POOLED,
    /** The pool was full, or nobody has answered. */
    NOT_POOLED,
    /** The pool asks for higher fees, which the node may pay. */
    UNDERPRICED,
    /** The pool asks for higher fees than the node may pay. */
    TOO_DEAR,
    /** The pool takes it at no fees. */
    REFUSED
  }

  /** What a row does. */
  public enum Action {
    NOTHING,
    /** Sends it. */
    PAY,
    /** Keeps it with what the pool asks for, to be sent at the next look. */
    RAISE,
    /** Takes the transfer for being on its way, and forgets why no pool took it. */
    BELIEVE,
    /** Remembers why no pool takes it. */
    BLAME,
    /** Forgets it. */
    FORGET,
    /** Forgets it, and remembers why no pool takes it. */
    GIVE_UP,
    /** Forgets it, and counts it. */
    COUNT
  }

  public static final TransitionTable<TransferState, TransferEvent, Action> TRANSFER =
      TransitionTable.of(
              "transfer for gas", TransferState.class, TransferEvent.class, Action.NOTHING)
          .move(NONE, TransferEvent.NEEDED, OFFERED, Action.PAY, "at the account's next nonce")
          .impossible(EnumSet.of(OFFERED, WAITING), TransferEvent.NEEDED, "one at a time")
          .move(WAITING, TransferEvent.UNUSED, OFFERED, Action.PAY, "the very same again")
          .ignore(EnumSet.of(OFFERED), TransferEvent.UNUSED, "the pool has not answered")
          .impossible(EnumSet.of(NONE), TransferEvent.UNUSED, "nothing was sent")
          .move(WAITING, TransferEvent.OVERDUE, OFFERED, Action.PAY, "the same for more")
          .ignore(EnumSet.of(OFFERED), TransferEvent.OVERDUE, "the pool has not answered")
          .impossible(EnumSet.of(NONE), TransferEvent.OVERDUE, "nothing was sent")
          .move(EnumSet.of(OFFERED, WAITING), TransferEvent.USED, NONE, Action.COUNT, "it is done")
          .impossible(EnumSet.of(NONE), TransferEvent.USED, "nothing was sent")
          .move(
              EnumSet.of(OFFERED, WAITING),
              TransferEvent.AHEAD,
              NONE,
              Action.FORGET,
              "another one has to go before it")
          .impossible(EnumSet.of(NONE), TransferEvent.AHEAD, "nothing was sent")
          .move(OFFERED, TransferEvent.POOLED, WAITING, Action.BELIEVE, "until a block has it")
          .ignore(answered(), TransferEvent.POOLED, "a final block has told more")
          .move(OFFERED, TransferEvent.NOT_POOLED, WAITING, "it is sent again")
          .ignore(answered(), TransferEvent.NOT_POOLED, "a final block has told more")
          .move(OFFERED, TransferEvent.UNDERPRICED, WAITING, Action.RAISE, "it is sent for more")
          .ignore(answered(), TransferEvent.UNDERPRICED, "a final block has told more")
          .move(OFFERED, TransferEvent.TOO_DEAR, WAITING, Action.BLAME, "fees may fall again")
          .ignore(answered(), TransferEvent.TOO_DEAR, "a final block has told more")
          .move(
              OFFERED, TransferEvent.REFUSED, NONE, Action.GIVE_UP, "its nonce is free for another")
          .ignore(answered(), TransferEvent.REFUSED, "a final block has told more")
          .build();

  private FundingTable() {}

  private static Set<TransferState> answered() {
    return EnumSet.of(NONE, WAITING);
  }
}
