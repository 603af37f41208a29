package dev.sequitur.persistence.store;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.postgres.TextHash;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.id.Utf8;
import dev.sequitur.protocol.port.GroupStore.ChangedGroup;
import dev.sequitur.protocol.port.GroupStore.LocalMember;
import dev.sequitur.protocol.port.GroupStore.Names;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.NodeStore.StoredAbi;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.transaction.Receipt;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What lies where in the node store. The numbers are on disk: they are never given to another use,
 * and a new use takes a new one. Of a text that callers choose, which may be of any length, a key
 * has the hash: a database indexes no longer ones.
 *
 * <table>
 * <caption>Keys after {@link KeySpace#NODE_STORE}, and values</caption>
 * <tr><th>region</th><th>rest of the key</th><th>value</th></tr>
 * <tr><td>1 intent</td><td>order</td><td>when it was accepted, twelve bytes, and Intent as it came,
 * its own order 0</td></tr>
 * <tr><td>2 place</td><td>transaction id</td><td>its order, eight bytes, and {@link
 * IntentTable.Place} with order 0</td></tr>
 * <tr><td>3 idempotency</td><td>hash of the name of the key, hash of its owner</td><td>{@link JudgedBatch.Original}</td></tr>
 * <tr><td>4 pending</td><td>contract, order</td><td>nothing</td></tr>
 * <tr><td>5 receipt</td><td>sequence</td><td>a byte, 1 if it is of an own transaction, else 0 and its sender's
 * commitment, and Receipt</td></tr>
 * <tr><td>6 ending</td><td>transaction id</td><td>sequence of its receipt, eight bytes</td></tr>
 * <tr><td>7 receipt listener</td><td>hash of its name</td><td>Listener</td></tr>
 * <tr><td>8 group</td><td>group id</td><td>StoredGroup</td></tr>
 * <tr><td>9 prepared</td><td>transaction id</td><td>Prepared</td></tr>
 * <tr><td>10 indexed</td><td>nothing</td><td>ReadSoFar</td></tr>
 * <tr><td>11 counter</td><td>1 order, 2 sequence, 3 abis, 4 not in use, 5 sequence of
 * messages, 7 known groups, 8 open changes; 3 with the hash of an owner, abis of that one</td><td>the last one used, or how many there are, eight bytes</td></tr>
 * <tr><td>11 counter</td><td>6 time</td><td>when the last intent was accepted: seconds, eight bytes, and
 * nanoseconds, four</td></tr>
 * <tr><td>12 state</td><td>contract, state id</td><td>PrivateState</td></tr>
 * <tr><td>13 not in use</td><td></td><td></td></tr>
 * <tr><td>14 public pending</td><td>sender, order</td><td>nothing</td></tr>
 * <tr><td>15 public</td><td>order</td><td>nothing</td></tr>
 * <tr><td>16 nonce</td><td>signer, nonce</td><td>sequence of the receipt of its public transaction,
 * eight bytes</td></tr>
 * <tr><td>17 hash</td><td>hash on the base ledger</td><td>the same</td></tr>
 * <tr><td>18 abi</td><td>hash of its owner and its hash</td><td>StoredAbi</td></tr>
 * <tr><td>19 event listener</td><td>hash of its name</td><td>Listener</td></tr>
 * <tr><td>20 group's contract</td><td>contract</td><td>group id</td></tr>
 * <tr><td>21 group's deployment</td><td>hash of what makes it</td><td>group id</td></tr>
 * <tr><td>22 message</td><td>sequence</td><td>NumberedMessage, its own sequence 0</td></tr>
 * <tr><td>23 message of</td><td>contract, sender, number</td><td>its sequence, eight bytes</td></tr>
 * <tr><td>24 message id</td><td>id</td><td>the same</td></tr>
 * <tr><td>25 newest message</td><td>contract, sender</td><td>its number, eight bytes</td></tr>
 * <tr><td>26 message listener</td><td>hash of its name</td><td>Listener</td></tr>
 * <tr><td>27 new group pending</td><td>order</td><td>nothing</td></tr>
 * <tr><td>28 awaited groups</td><td>giver</td><td>how many wait, eight bytes</td></tr>
 * <tr><td>29 withdrawn groups</td><td>giver</td><td>the last place, eight bytes</td></tr>
 * <tr><td>29 withdrawn group</td><td>giver, place</td><td>group id</td></tr>
 * <tr><td>30 ending of others</td><td>transaction id, contract, sender's commitment</td><td>sequence of its
 * receipt that holds, eight bytes</td></tr>
 * <tr><td>31 open</td><td>order, of all without a receipt</td><td>nothing</td></tr>
 * <tr><td>32 open public</td><td>order</td><td>nothing</td></tr>
 * <tr><td>33 dependant</td><td>contract, transaction that is waited for, order</td><td>id of the one
 * that waits, of those without a receipt</td></tr>
 * <tr><td>34 abi's key</td><td>hash of its owner and its hash</td><td>AbiKey</td></tr>
 * <tr><td>35 first of others</td><td>transaction id, contract</td><td>commitment of the sender who used
 * the id there first</td></tr>
 * <tr><td>36 schedule event listener</td><td>hash of its name</td><td>Listener</td></tr>
 * <tr><td>37 webhook</td><td>hash of its name</td><td>Listener</td></tr>
 * <tr><td>38 group by age</td><td>created, group id</td><td>nothing</td></tr>
 * <tr><td>39 unfinished group</td><td>group id</td><td>nothing</td></tr>
 * <tr><td>40 known group</td><td>contract</td><td>KnownGroup</td></tr>
 * <tr><td>41 group's transaction</td><td>id of what makes it</td><td>group id</td></tr>
 * <tr><td>42 forgotten</td><td>sequence of the receipt that held</td><td>{@link RoomTable.Stub}</td></tr>
 * <tr><td>43 forgotten up to</td><td>1 contents, 2 ids</td><td>the first sequence that may be there,
 * eight bytes, and when the one before it had ended, twelve</td></tr>
 * <tr><td>44 known group's key</td><td>its submitter, twenty bytes</td><td>KnownGroup</td></tr>
 * <tr><td>45 local member</td><td>name, of whatever known group</td><td>nothing</td></tr>
 * <tr><td>46 agreed change</td><td>contract</td><td>AgreedChange, the last of the group</td></tr>
 * <tr><td>47 open change</td><td>contract</td><td>nothing</td></tr>
 * <tr><td>48 group of a local member</td><td>name, a zero, contract of a known group, twenty
 * bytes</td><td>nothing</td></tr>
 * <tr><td>49 changed group</td><td>height of a block, contract of a known group</td><td>nothing</td></tr>
 * </table>
 */
final class Layout {
  private static final int ID_BYTES = 32;
  private static final int ADDRESS_BYTES = 20;
  private static final int END_OF_NAME = 0;

  /** The highest number that is given. */
  static final int LAST_REGION = 49;

  static final Key INTENTS = region(1);
  static final Key PENDING = region(4);
  static final Key RECEIPTS = region(5);
  static final Key GROUPS = region(8);
  static final Key INDEXED_TO = region(10);
  static final Key LAST_ORDER = region(11).octet(1);
  static final Key LAST_SEQUENCE = region(11).octet(2);
  static final Key ABI_COUNT = region(11).octet(3);
  static final Key LAST_MESSAGE = region(11).octet(5);
  static final Key LAST_CREATED = region(11).octet(6);
  static final Key KNOWN_GROUP_COUNT = region(11).octet(7);
  static final Key OPEN_CHANGE_COUNT = region(11).octet(8);

  static final Key PUBLIC_PENDING = region(14);
  static final Key PUBLICS = region(15);

  static final Key MESSAGES = region(22);
  static final Key NEW_GROUPS_PENDING = region(27);
  static final Key OPEN = region(31);
  static final Key OPEN_PUBLICS = region(32);
  static final Key ABI_KEYS = region(34);
  static final Key GROUP_AGES = region(38);
  static final Key UNFINISHED_GROUPS = region(39);
  static final Key KNOWN_GROUPS = region(40);
  static final Key DEPENDANTS = region(33);
  static final Key FORGOTTEN = region(42);
  static final Key LOCAL_MEMBERS = region(45);
  static final Key OPEN_CHANGES = region(47);
  static final Key LOCAL_GROUPS = region(48);
  static final Key CHANGED_GROUPS = region(49);

  private static final Key PLACES = region(2);
  private static final Key IDEMPOTENCY = region(3);
  private static final Key ENDINGS = region(6);
  private static final Key PREPARED = region(9);
  private static final Key STATES = region(12);
  private static final Key NONCES = region(16);
  private static final Key HASHES = region(17);
  private static final Key GROUP_CONTRACTS = region(20);
  private static final Key GROUP_DEPLOYMENTS = region(21);
  private static final Key RECEIPT_LISTENERS = region(7);
  private static final Key EVENT_LISTENERS = region(19);
  private static final Key MESSAGES_OF = region(23);
  private static final Key MESSAGE_IDS = region(24);
  private static final Key NEWEST_MESSAGES = region(25);
  private static final Key MESSAGE_LISTENERS = region(26);
  private static final Key SCHEDULE_LISTENERS = region(36);
  private static final Key WEBHOOKS = region(37);
  private static final Key AWAITED = region(28);
  private static final Key WITHDRAWN = region(29);
  private static final Key ENDINGS_OF_OTHERS = region(30);
  private static final Key FIRSTS_OF_OTHERS = region(35);
  private static final Key ABIS = region(18);
  private static final Key GROUP_TRANSACTIONS = region(41);
  private static final Key FORGOTTEN_UP_TO = region(43);
  private static final Key SUBMITTERS = region(44);
  private static final Key AGREED_CHANGES = region(46);

  private Layout() {}

  private static Key region(int number) {
    if (number > LAST_REGION) {
      throw new IllegalArgumentException("LAST_REGION is below " + number + ".");
    }
    return Key.in(KeySpace.NODE_STORE).octet(number);
  }

  static Key intent(long order) {
    return INTENTS.number(order);
  }

  static Key place(TransactionId id) {
    return PLACES.raw(bytes(id));
  }

  static Key idempotency(IdempotencyKey key) {
    return keysNamed(key.name()).raw(TextHash.of(key.owner().text()));
  }

  /** Both parts of what {@link #idempotency(IdempotencyKey)} has. */
  static Bytes hashes(IdempotencyKey key) {
    return Bytes.of(joined(TextHash.of(key.name()), TextHash.of(key.owner().text())));
  }

  /** Of {@link #hashes}. */
  static Key idempotency(Bytes hashes) {
    return IDEMPOTENCY.raw(hashes.toByteArray());
  }

  static Key keysNamed(String name) {
    return IDEMPOTENCY.raw(TextHash.of(name));
  }

  static Key pending(ContractAddress contract) {
    return PENDING.text(contract.value());
  }

  static Key dependants(ContractAddress contract, TransactionId of) {
    return DEPENDANTS.text(contract.value()).raw(bytes(of));
  }

  static Key publicPending(Identity from) {
    return PUBLIC_PENDING.text(from.toString());
  }

  /** The contract of a key made by {@link #pending} and followed by a number. */
  static ContractAddress pendingContract(Key key) {
    return new ContractAddress(textAfter(PENDING, key));
  }

  /** As {@link #pendingContract}, of {@link #publicPending}. */
  static Identity pendingSender(Key key) {
    return Identity.parse(textAfter(PUBLIC_PENDING, key));
  }

  private static String textAfter(Key region, Key key) {
    var rest = key.asByteBuffer();
    rest.position(region.asByteBuffer().remaining());
    var text = new byte[rest.getShort()];
    rest.get(text);
    return Utf8.decode(text);
  }

  static Key receipt(long sequence) {
    return RECEIPTS.number(sequence);
  }

  static Key forgotten(long sequence) {
    return FORGOTTEN.number(sequence);
  }

  static Key forgottenUpTo(Kept kept) {
    return FORGOTTEN_UP_TO.octet(
        switch (kept) {
          case CONTENTS -> 1;
          case IDS -> 2;
        });
  }

  static Key ending(TransactionId id) {
    return ENDINGS.raw(bytes(id));
  }

  static Key endingsOfOthers(TransactionId id) {
    return ENDINGS_OF_OTHERS.raw(bytes(id));
  }

  static Key endingOfOthers(IntentKey intent, ContractAddress contract) {
    return endingsOfOthers(intent.transaction())
        .text(contract.value())
        .raw(intent.commitment().value().toByteArray());
  }

  static Key firstsOfOthers(TransactionId id) {
    return FIRSTS_OF_OTHERS.raw(bytes(id));
  }

  static Key firstOfOthers(TransactionId id, ContractAddress contract) {
    return firstsOfOthers(id).text(contract.value());
  }

  /** The contract of a key made by {@link #firstOfOthers}. */
  static ContractAddress firstsContract(TransactionId id, Key key) {
    return new ContractAddress(textAfter(firstsOfOthers(id), key));
  }

  static Key listeners(ListenerKind kind) {
    return switch (kind) {
      case RECEIPTS -> RECEIPT_LISTENERS;
      case EVENTS -> EVENT_LISTENERS;
      case MESSAGES -> MESSAGE_LISTENERS;
      case SCHEDULES -> SCHEDULE_LISTENERS;
      case WEBHOOKS -> WEBHOOKS;
    };
  }

  static Key listener(ListenerKind kind, String name) {
    return listeners(kind).raw(TextHash.of(name));
  }

  static Key message(long sequence) {
    return MESSAGES.number(sequence);
  }

  static Key messagesOf(ContractAddress contract, NodeName from) {
    return MESSAGES_OF.text(contract.value()).text(from.value());
  }

  static Key message(GroupMessageId id) {
    return MESSAGE_IDS.raw(bytes(id.value()));
  }

  static Key newestMessages(ContractAddress contract) {
    return NEWEST_MESSAGES.text(contract.value());
  }

  static Key newestMessage(ContractAddress contract, NodeName from) {
    return newestMessages(contract).text(from.value());
  }

  /** The sender of a key made by {@link #newestMessage}. */
  static NodeName messageSender(ContractAddress contract, Key key) {
    return new NodeName(textAfter(newestMessages(contract), key));
  }

  static Key abi(String owner, Hash hash) {
    return ABIS.raw(StoredAbi.key(owner, hash).toByteArray());
  }

  static Key abiKey(String owner, Hash hash) {
    return ABI_KEYS.raw(StoredAbi.key(owner, hash).toByteArray());
  }

  /** How many one owner has. */
  static Key abiCount(String owner) {
    return ABI_COUNT.raw(TextHash.of(owner));
  }

  static Key group(GroupId id) {
    return GROUPS.raw(id.value().toByteArray());
  }

  static Key groupContract(ContractAddress contract) {
    return GROUP_CONTRACTS.text(contract.value());
  }

  static Key groupDeployment(Hash deploy) {
    return GROUP_DEPLOYMENTS.raw(deploy.toByteArray());
  }

  static Key groupAge(StoredGroup group) {
    return GROUP_AGES.raw(bytes(group.created())).raw(group.id().value().toByteArray());
  }

  /** Of a key made by {@link #groupAge}. */
  static GroupId agedGroup(Key key) {
    return lastId(key);
  }

  static Key unfinishedGroup(GroupId id) {
    return UNFINISHED_GROUPS.raw(id.value().toByteArray());
  }

  /** Of a key made by {@link #unfinishedGroup}. */
  static GroupId unfinishedGroup(Key key) {
    return lastId(key);
  }

  private static GroupId lastId(Key key) {
    var rest = key.asByteBuffer();
    rest.position(rest.limit() - ID_BYTES);
    var id = new byte[ID_BYTES];
    rest.get(id);
    return new GroupId(Hash.of(id));
  }

  static Key knownGroup(ContractAddress contract) {
    return KNOWN_GROUPS.text(contract.value());
  }

  static Key submitter(LedgerAddress key) {
    return SUBMITTERS.raw(Bytes.hex(key.value()).toByteArray());
  }

  static Key localMember(String name) {
    return LOCAL_MEMBERS.raw(Utf8.encode(name));
  }

  /** The name of a key made by {@link #localMember}. */
  static String localMember(Key key) {
    var rest = key.asByteBuffer();
    rest.position(LOCAL_MEMBERS.asByteBuffer().remaining());
    var name = new byte[rest.remaining()];
    rest.get(name);
    return Utf8.decode(name);
  }

  /** Those of all members whose names these are. */
  static Key localGroups(Names names) {
    var begin = LOCAL_GROUPS.raw(Utf8.encode(names.beginning()));
    return names.whole() ? begin.octet(END_OF_NAME) : begin;
  }

  /** No name has a zero in it. */
  static Key localGroup(LocalMember member) {
    return localGroups(Names.named(member.name()))
        .raw(Bytes.hex(member.contract().value()).toByteArray());
  }

  /** Of a key made by {@link #localGroup}. */
  static LocalMember localGroup(Key key) {
    var rest = key.asByteBuffer();
    rest.position(LOCAL_GROUPS.asByteBuffer().remaining());
    var name = new byte[rest.remaining() - ADDRESS_BYTES - 1];
    var contract = new byte[ADDRESS_BYTES];
    rest.get(name).position(rest.limit() - ADDRESS_BYTES);
    rest.get(contract);
    return new LocalMember(Utf8.decode(name), new ContractAddress(Bytes.of(contract).toHex()));
  }

  static Key changedGroup(ChangedGroup changed) {
    return CHANGED_GROUPS.number(changed.block().value()).text(changed.contract().value());
  }

  /** Of a key made by {@link #changedGroup}. */
  static ChangedGroup changedGroup(Key key) {
    var rest = key.asByteBuffer();
    rest.position(CHANGED_GROUPS.asByteBuffer().remaining());
    long height = rest.getLong();
    return new ChangedGroup(
        new BlockHeight(height),
        new ContractAddress(textAfter(CHANGED_GROUPS.number(height), key)));
  }

  static Key groupTransaction(TransactionId genesis) {
    return GROUP_TRANSACTIONS.raw(bytes(genesis));
  }

  static Key agreedChange(ContractAddress contract) {
    return AGREED_CHANGES.text(contract.value());
  }

  static Key openChange(ContractAddress contract) {
    return OPEN_CHANGES.text(contract.value());
  }

  /** The contract of a key made by {@link #openChange}. */
  static ContractAddress openChangesContract(Key key) {
    return new ContractAddress(textAfter(OPEN_CHANGES, key));
  }

  static Key awaited(NodeName giver) {
    return AWAITED.text(giver.value());
  }

  static Key withdrawn(NodeName giver) {
    return WITHDRAWN.text(giver.value());
  }

  static Key prepared(TransactionId id) {
    return PREPARED.raw(bytes(id));
  }

  static Key nonce(Receipt.Nonce nonce) {
    return NONCES.text(nonce.signer().value()).number(nonce.number());
  }

  static Key hash(TransactionHash hash) {
    return HASHES.raw(hash.value().toByteArray());
  }

  static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** Of {@link #bytes(long)}, with whatever comes after it. */
  static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }

  static byte[] bytes(Instant time) {
    return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
        .putLong(time.getEpochSecond())
        .putInt(time.getNano())
        .array();
  }

  /** Of {@link #bytes(Instant)}, with whatever comes after it. */
  static Instant time(byte[] bytes) {
    var both = ByteBuffer.wrap(bytes);
    return Instant.ofEpochSecond(both.getLong(), both.getInt());
  }

  /** One after the other. */
  static byte[] joined(byte[] head, byte[] rest) {
    return ByteBuffer.allocate(head.length + rest.length).put(head).put(rest).array();
  }

  /** 0 if there is none yet. */
  static long number(Optional<byte[]> stored) {
    return stored.map(Layout::number).orElse(0L);
  }

  /** Of {@link #bytes(TransactionId)}. */
  static TransactionId transaction(byte[] bytes) {
    var both = ByteBuffer.wrap(bytes);
    return new TransactionId(new UUID(both.getLong(), both.getLong()));
  }

  static byte[] bytes(TransactionId id) {
    return bytes(id.value());
  }

  private static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  static Key states(ContractAddress contract) {
    return STATES.text(contract.value());
  }

  /** The content of a state; fixed length, so that no contract's keys are another's prefix. */
  static Key state(ContractAddress contract, StateId id) {
    return states(contract).raw(id.value().toByteArray());
  }
}
