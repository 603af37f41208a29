package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a node keeps, by who could give it back if it is lost. */
public enum StoredKind {
  FORMAT("the format of the store", "every node has it"),
  SENDER(
      "the attempts of transactions under way",
      "the ledger has their outcomes, and the node's records what callers sent"),
  SUBMITTER(
      "dispatched transactions with their nonces and fees",
      "the ledger has the nonces that were used and what came of them; senders send the rest again"),
  STATE_STORE(
      "which private states there are, and whom they are owed to",
      "the ledger has which states there are, and the members on their lists have the contents"),
  MESSAGE_BOOK("how far each member is with the group's messages", "nobody has it"),
  QUEUE("schedules: their money, executions and outcomes", "nobody has it"),
  JOURNAL(
      "transactions and private states under way, and schedules",
      "the ledger has outcomes and which states there are, members the contents; nobody has schedules"),
  ENTITIES("which entities wake at a start", "a call that concerns them wakes them too"),
  TRANSACTIONS(
      "accepted transactions and prepared ones", "nobody has what callers sent but themselves"),
  RECEIPTS("receipts", "the ledger has the outcomes, without what is private"),
  LISTENERS("listeners, and how far each is", "who made them can make them again"),
  GROUPS("privacy groups", "the ledger has their members, and the other members the rest"),
  INDEXED("how far the ledger was read", "the ledger can be read again"),
  CONTENTS("contents of private states", "the members on their lists have them, by the state's id"),
  ABIS("descriptions of contracts", "who stored them can store them again"),
  MESSAGES("messages of groups", "the members who sent them have them"),
  CHECKPOINTS("checkpoints of schedule queues", "the journal has them if it was not cut since"),
  WITNESSED(
      "what the blocks of a ledger with checkpoints have left",
      "it can be counted again while the ledger has all its blocks"),
  KEYS("keys that the records are encrypted by", "nobody has them"),
  LEDGER("blocks of the embedded ledger", "nobody has them");

  private final String what;
  private final String giver;

  StoredKind(String what, String giver) {
    this.what = what;
    this.giver = giver;
  }

  /** A part of a sentence. */
  public String what() {
    return what;
  }

  /** A part of a sentence: who could give it back. */
  public String giver() {
    return giver;
  }

  /**
   * What may lie between two keys.
   *
   * @param after empty if the first key of all may be among them
   * @param upTo empty if nobody knows
   */
  public static Set<StoredKind> between(Optional<Key> after, Optional<Key> upTo) {
    var kinds = EnumSet.noneOf(StoredKind.class);
    if (upTo.isPresent()) {
      after.map(StoredKind::of).ifPresent(kinds::addAll);
      kinds.addAll(of(upTo.get()));
      for (int region = 1; region <= Layout.LAST_REGION; region++) {
        var key = Key.in(KeySpace.NODE_STORE).octet(region);
        if (after.isPresent() && key.compareTo(after.get()) > 0 && key.compareTo(upTo.get()) <= 0) {
          kinds.addAll(ofRegion(region));
        }
      }
    }
    return kinds;
  }

  /**
   * Of a table of the database.
   *
   * @return empty for what holds nothing that a node could miss
   */
  public static Set<StoredKind> ofTable(String name) {
    return switch (name) {
      case "entry" ->
          EnumSet.of(
              JOURNAL,
              TRANSACTIONS,
              RECEIPTS,
              LISTENERS,
              GROUPS,
              INDEXED,
              CONTENTS,
              ABIS,
              MESSAGES,
              CHECKPOINTS,
              WITNESSED);
      default -> EnumSet.noneOf(StoredKind.class);
    };
  }

  /** Keys may be cut short by an index: then it is all that may begin so. */
  private static List<StoredKind> of(Key key) {
    var bytes = key.asByteBuffer();
    try {
      return KeySpace.of(bytes.get()).map(space -> in(space, bytes)).orElse(List.of());
    } catch (BufferUnderflowException e) {
      return List.of();
    }
  }

  private static List<StoredKind> in(KeySpace space, ByteBuffer rest) {
    return switch (space) {
      case STORE_FORMAT -> List.of(FORMAT);
      case EVENT, STREAM, SNAPSHOT -> List.of(ofEntity(persistenceId(rest)));
      case CELL,
          CELL_VERSION,
          EXECUTED_BODY,
          EXECUTED_BODY_COUNT,
          DONE_COMMAND,
          DONE_COMMAND_AGE,
          DONE_COMMAND_COUNT,
          DONE_COMMAND_FROM ->
          List.of(CHECKPOINTS);
      case OUTCOME, OUTCOME_MARK, OUTCOME_FROM -> List.of(QUEUE);
      case NODE_STORE -> ofRegion(rest.get());
      case SEGMENT_KEY -> List.of(KEYS);
      case SHARDS -> List.of(ENTITIES);
      case LEDGER_WITNESS -> List.of(WITNESSED);
      case BASE_LEDGER -> List.of(LEDGER);
    };
  }

  private static String persistenceId(ByteBuffer bytes) {
    bytes.getShort();
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }

  private static StoredKind ofEntity(String persistenceId) {
    int end = persistenceId.indexOf('|');
    return switch (end < 0 ? persistenceId : persistenceId.substring(0, end)) {
      case "sender" -> SENDER;
      case "submitter", "public-submitter" -> SUBMITTER;
      case "state-store" -> STATE_STORE;
      case "message-book" -> MESSAGE_BOOK;
      default -> persistenceId.startsWith("schedule-queue") ? QUEUE : ENTITIES;
    };
  }

  /** Empty for a region that {@link Layout} does not give. */
  private static List<StoredKind> ofRegion(int region) {
    return switch (region) {
      case 1, 2, 3, 4, 9, 11, 14, 15, 27, 31, 32, 33 -> List.of(TRANSACTIONS);
      case 5, 6, 16, 17, 30, 35, 42, 43 -> List.of(RECEIPTS);
      case 7, 19, 26, 36, 37 -> List.of(LISTENERS);
      case 8, 20, 21, 28, 29, 38, 39, 40, 41, 44, 45, 46, 47, 48, 49 -> List.of(GROUPS);
      case 10 -> List.of(INDEXED);
      case 12 -> List.of(CONTENTS);
      case 18, 34 -> List.of(ABIS);
      case 22, 23, 24, 25 -> List.of(MESSAGES);
      default -> List.of();
    };
  }
}
