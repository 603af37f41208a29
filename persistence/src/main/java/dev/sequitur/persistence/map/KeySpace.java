package dev.sequitur.persistence.map;

import java.util.Arrays;
import java.util.Optional;

/**
 * What lies where in the map of a node: the first byte of every key says whose it is.
 *
 * <p>The numbers are on disk. They are never given to another use, and a new use takes a new one.
 *
 * <table>
 * <caption>Keys and values; texts are UTF-8 after two bytes of length, numbers eight bytes, all
 * big-endian</caption>
 * <tr><th>first byte</th><th>rest of the key</th><th>value</th></tr>
 * <tr><td>0x00 STORE_FORMAT</td><td>nothing</td><td>{@link
 * dev.sequitur.persistence.serialization.DiskFormat}, four bytes</td></tr>
 * <tr><td>0x01 EVENT</td><td>persistence id, sequence number</td><td>{@link
 * dev.sequitur.persistence.journal.MapJournal an event}</td></tr>
 * <tr><td>0x02 STREAM</td><td>persistence id</td><td>{@link
 * dev.sequitur.persistence.journal.MapJournal its bounds}</td></tr>
 * <tr><td>0x03 SNAPSHOT</td><td>persistence id, sequence number</td><td>{@link
 * dev.sequitur.persistence.journal.MapSnapshotStore a snapshot}</td></tr>
 * <tr><td>0x04 CELL</td><td>stream, then as its owner says</td><td>the owner's own</td></tr>
 * <tr><td>0x05 CELL_VERSION</td><td>stream</td><td>version of its cells, eight bytes</td></tr>
 * <tr><td>0x06 EXECUTED_BODY</td><td>queue, SHA-256 of the body</td><td>nothing</td></tr>
 * <tr><td>0x07 EXECUTED_BODY_COUNT</td><td>queue</td><td>how many of its executions are in the set,
 * eight bytes</td></tr>
 * <tr><td>0x08 DONE_COMMAND</td><td>queue, SHA-256 of the command's id</td><td>the queue's
 * own</td></tr>
 * <tr><td>0x09 DONE_COMMAND_AGE</td><td>queue, number of the command</td><td>when it was done, in
 * milliseconds, and the SHA-256</td></tr>
 * <tr><td>0x0A DONE_COMMAND_COUNT</td><td>queue</td><td>the highest number that was ever there,
 * eight bytes</td></tr>
 * <tr><td>0x0B OUTCOME</td><td>queue, number of the row</td><td>of each of its outcomes: its number
 * within the row, when it came about, in milliseconds, its marks, and the queue's own</td></tr>
 * <tr><td>0x0C OUTCOME_MARK</td><td>queue, 16 bytes of the SHA-256 of the mark, number of the row</td><td>which of the row's
 * outcomes have the mark, a bit each</td></tr>
 * <tr><td>0x0D OUTCOME_FROM</td><td>queue</td><td>the lowest number of a row that may be there,
 * eight bytes</td></tr>
 * <tr><td>0x0E DONE_COMMAND_FROM</td><td>queue</td><td>the lowest number of a command that may be
 * there, eight bytes</td></tr>
 * <tr><td>0x10 NODE_STORE</td><td>region (one byte, given out by the node store), then as the
 * region says</td><td>the region's own</td></tr>
 * <tr><td>0x11 SEGMENT_KEY</td><td>number of a segment</td><td>{@link
 * dev.sequitur.persistence.encryption.Encryption a key that values are encrypted by}, itself
 * encrypted</td></tr>
 * <tr><td>0x12 SHARDS</td><td>nothing</td><td>{@link
 * dev.sequitur.persistence.journal.StoredShards}, four bytes</td></tr>
 * <tr><td>0x13 LEDGER_WITNESS</td><td>as a ledger says</td><td>what the node has counted out of a
 * ledger's blocks</td></tr>
 * <tr><td>0x20 BASE_LEDGER</td><td>as the ledger says</td><td>the ledger's own</td></tr>
 * </table>
 */
public enum KeySpace {
  /** One entry: in which format the directory was written. */
  STORE_FORMAT(0x00),
  /** The events of all persistent actors, those of one actor side by side in their order. */
  EVENT(0x01),
  /** Per persistent actor, which sequence numbers were ever used and which are deleted. */
  STREAM(0x02),
  /** The snapshots of all persistent actors. */
  SNAPSHOT(0x03),
  /** The states of actors that are too large for one snapshot, in pieces. */
  CELL(0x04),
  /** Which of an actor's events its cells contain. */
  CELL_VERSION(0x05),
  /** Which scheduled bodies each queue has executed, for ever. */
  EXECUTED_BODY(0x06),
  /** Up to which execution of a queue its bodies are there. */
  EXECUTED_BODY_COUNT(0x07),
  /** What each queue has done under which command's id, until that is forgotten. */
  DONE_COMMAND(0x08),
  /** The same commands by their age. */
  DONE_COMMAND_AGE(0x09),
  /** Up to which command of a queue they are there. */
  DONE_COMMAND_COUNT(0x0A),
  /** How the occurrences of each queue's schedules ended, until that is forgotten. */
  OUTCOME(0x0B),
  /** The same by what they are found by. */
  OUTCOME_MARK(0x0C),
  /** Up to where each queue's outcomes are forgotten, so that nobody looks for them. */
  OUTCOME_FROM(0x0D),
  /** Up to where what each queue has done is forgotten. */
  DONE_COMMAND_FROM(0x0E),
  /** What callers were promised; its regions are the node store's own affair. */
  NODE_STORE(0x10),
  /** The keys that values are encrypted by, if they are. */
  SEGMENT_KEY(0x11),
  /** One entry: by how many shards entities are remembered, where it is not the usual number. */
  SHARDS(0x12),
  /** What the node has counted out of the blocks of a ledger with checkpoints. */
  LEDGER_WITNESS(0x13),
  /** All of an embedded base ledger, in a directory of its own; the rest is the ledger's affair. */
  BASE_LEDGER(0x20);

  private final byte code;

  KeySpace(int code) {
    this.code = (byte) code;
  }

  byte code() {
    return code;
  }

  /** Of the first byte of a key; empty for one that no key begins with. */
  public static Optional<KeySpace> of(byte code) {
    return Arrays.stream(values()).filter(space -> space.code == code).findFirst();
  }

  /** All that a node keeps; the format, and a ledger's blocks, are no part of it. */
  public static KeyRange ofNode() {
    return new KeyRange(Key.in(EVENT), Key.in(BASE_LEDGER));
  }

  /** What its schedule queues keep beside their journal. */
  public static KeyRange ofQueues() {
    return new KeyRange(Key.in(CELL), Key.in(NODE_STORE));
  }
}
