package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** The messages that others are made of: ids, times, keys, signatures. */
final class CommonMessages {
  private static final long NANOS = 1_000_000_000;
  private static final int ED25519 = 2;
  private static final int THRESHOLD_KEY = 5;
  private static final int KEY_LIST = 6;
  private static final int ECDSA_SECP256K1 = 7;
  private static final int PAIR_ED25519 = 3;
  private static final int PAIR_ECDSA_SECP256K1 = 6;

  private CommonMessages() {}

  /** AccountID and ScheduleID: shard, realm, number. */
  static EntityId readEntity(MessageFields fields) throws UnreadableMessageException {
    if (fields.takeNumber(1) != 0 || fields.takeNumber(2) != 0 || fields.has(4)) {
      throw fields.unreadable("names another shard, another realm or an alias: write 0.0.number");
    }
    long number = fields.takeNumber(3);
    fields.requireNothingLeft();
    if (number < 1) {
      throw fields.unreadable("names no number");
    }
    return new EntityId(number);
  }

  /**
   * @param otherwise the code if it is another shard's, another realm's or an alias
   */
  static EntityId readEntity(MessageFields fields, ResponseCode otherwise)
      throws UnreadableMessageException {
    try {
      return readEntity(fields);
    } catch (UnreadableMessageException e) {
      throw new UnreadableMessageException(otherwise, e.getMessage());
    }
  }

  static MessageBytes write(EntityId id) {
    return new MessageBytes().number(3, id.number());
  }

  /** Whatever queue it is of; nothing is one too. */
  static NodeAccount readNodeAccount(MessageFields fields) throws UnreadableMessageException {
    long shard = fields.takeNumber(1);
    long realm = fields.takeNumber(2);
    long number = fields.takeNumber(3);
    fields.requireNothingLeft();
    if (shard != 0 || realm < 0 || number < 0) {
      throw new UnreadableMessageException(
          ResponseCode.INVALID_NODE_ACCOUNT, ResponseCode.INVALID_NODE_ACCOUNT.sentence());
    }
    return new NodeAccount(realm, number);
  }

  static MessageBytes write(NodeAccount node) {
    return new MessageBytes().number(2, node.realm()).number(3, node.number());
  }

  /** The second of a time, whenever: also of one that no queue's clock has. */
  static long readSecond(MessageFields fields) throws UnreadableMessageException {
    long second = fields.takeNumber(1);
    long nanos = fields.takeNumber(2);
    fields.requireNothingLeft();
    if (nanos < 0 || nanos >= NANOS) {
      throw fields.unreadable("has nanoseconds of more than a second");
    }
    return second;
  }

  static ConsensusTime readTime(MessageFields fields) throws UnreadableMessageException {
    long seconds = fields.takeNumber(1);
    long nanos = fields.takeNumber(2);
    fields.requireNothingLeft();
    if (seconds < 0 || nanos < 0 || nanos >= NANOS) {
      throw fields.unreadable("is no time after 1970");
    } else if (seconds >= ConsensusTime.END.getEpochSecond()) {
      throw fields.tooFarAway();
    }
    return new ConsensusTime(seconds * NANOS + nanos);
  }

  static MessageBytes write(ConsensusTime time) {
    return new MessageBytes().number(1, time.seconds()).number(2, time.nanos() % NANOS);
  }

  static AccountTransactionId readTransactionId(MessageFields fields)
      throws UnreadableMessageException {
    try {
      return readId(fields);
    } catch (UnreadableMessageException e) {
      throw new UnreadableMessageException(ResponseCode.INVALID_TRANSACTION_ID, e.getMessage());
    }
  }

  private static AccountTransactionId readId(MessageFields fields)
      throws UnreadableMessageException {
    var start = fields.takeMessage(1, "Timestamp");
    var account = fields.takeMessage(2, "AccountID");
    boolean scheduled = fields.takeFlag(3);
    int nonce = (int) fields.takeUnsigned32(4);
    fields.requireNothingLeft();
    if (start.isEmpty() || account.isEmpty()) {
      throw fields.unreadable("names no valid start or no account");
    }
    return new AccountTransactionId(
        readTime(start.get()), readEntity(account.get()), scheduled, nonce);
  }

  static MessageBytes write(AccountTransactionId id) {
    return new MessageBytes()
        .message(1, write(id.validStart()))
        .message(2, write(id.account()))
        .flag(3, id.scheduled())
        .number(4, Integer.toUnsignedLong(id.nonce()));
  }

  static AccountKey readKey(Bytes bytes) throws UnreadableMessageException {
    try {
      return readKey(bytes, 1);
    } catch (UnreadableMessageException e) {
      throw new UnreadableMessageException(ResponseCode.BAD_ENCODING, e.getMessage());
    }
  }

  /** Stops at the depth that the rules allow, before it has gone any deeper. */
  private static AccountKey readKey(Bytes bytes, int depth) throws UnreadableMessageException {
    var fields = MessageFields.of("Key", bytes);
    if (depth > AccountKey.DEEPEST) {
      throw fields.unreadable("is nested to more than " + AccountKey.DEEPEST + " levels");
    }
    try {
      var key = readKey(fields, depth);
      fields.requireNothingLeft();
      return key;
    } catch (IllegalArgumentException e) {
      throw new UnreadableMessageException("This Key cannot be used: " + e.getMessage());
    }
  }

  private static AccountKey readKey(MessageFields fields, int depth)
      throws UnreadableMessageException {
    fields.requireAtMostOne("kind of key", ED25519, THRESHOLD_KEY, KEY_LIST, ECDSA_SECP256K1);
    var ed25519 = fields.takeBytes(ED25519);
    var ecdsa = fields.takeBytes(ECDSA_SECP256K1);
    var list = fields.takeMessage(KEY_LIST, "KeyList");
    var threshold = fields.takeMessage(THRESHOLD_KEY, "ThresholdKey");
    if (ed25519.isPresent()) {
      return CurvePoints.checked(new PublicKey(PublicKey.Algorithm.ED25519, ed25519.get()));
    } else if (ecdsa.isPresent()) {
      return CurvePoints.checked(new PublicKey(PublicKey.Algorithm.ECDSA_SECP256K1, ecdsa.get()));
    } else if (list.isPresent()) {
      return new AccountKey.KeyList(readKeys(list.get(), depth + 1));
    } else if (threshold.isPresent()) {
      long needed = threshold.get().takeUnsigned32(1);
      var keys = threshold.get().takeMessage(2, "KeyList");
      threshold.get().requireNothingLeft();
      if (keys.isEmpty()) {
        throw fields.unreadable("has a threshold without keys");
      }
      int least = (int) Math.min(needed, Integer.MAX_VALUE);
      return new AccountKey.ThresholdKey(least, readKeys(keys.get(), depth + 1));
    }
    throw fields.unreadable("is none of Ed25519, secp256k1, a key list and a threshold key");
  }

  private static List<AccountKey> readKeys(MessageFields list, int depth)
      throws UnreadableMessageException {
    var keys = new ArrayList<AccountKey>();
    for (var bytes : list.takeAll(1)) {
      keys.add(readKey(bytes, depth));
    }
    list.requireNothingLeft();
    return keys;
  }

  static MessageBytes write(AccountKey key) {
    var message = new MessageBytes();
    return switch (key) {
      case PublicKey(var algorithm, var value) ->
          message.bytes(
              switch (algorithm) {
                case ED25519 -> ED25519;
                case ECDSA_SECP256K1 -> ECDSA_SECP256K1;
              },
              value);
      case AccountKey.KeyList(var keys) -> message.message(KEY_LIST, write(keys));
      case AccountKey.ThresholdKey(var threshold, var keys) ->
          message.message(
              THRESHOLD_KEY, new MessageBytes().number(1, threshold).message(2, write(keys)));
    };
  }

  private static MessageBytes write(List<AccountKey> keys) {
    var list = new MessageBytes();
    keys.forEach(key -> list.message(1, write(key)));
    return list;
  }

  /** No two may have the same prefix: nobody could tell whose they are. */
  static List<SignaturePair> readSignatures(MessageFields map) throws UnreadableMessageException {
    var pairs = new ArrayList<SignaturePair>();
    var prefixes = new HashSet<Bytes>();
    for (var bytes : map.takeAll(1)) {
      var pair = readSignature(MessageFields.of("SignaturePair", bytes));
      if (!prefixes.add(pair.prefix())) {
        throw new UnreadableMessageException(
            ResponseCode.KEY_PREFIX_MISMATCH, ResponseCode.KEY_PREFIX_MISMATCH.sentence());
      }
      pairs.add(pair);
    }
    map.requireNothingLeft();
    return pairs;
  }

  private static SignaturePair readSignature(MessageFields fields)
      throws UnreadableMessageException {
    var prefix = fields.takeBytes(1).orElse(Bytes.EMPTY);
    var ed25519 = fields.takeBytes(PAIR_ED25519);
    var ecdsa = fields.takeBytes(PAIR_ECDSA_SECP256K1);
    fields.requireNothingLeft();
    if (ed25519.isPresent() && ecdsa.isEmpty()) {
      return new SignaturePair(prefix, PublicKey.Algorithm.ED25519, ed25519.get());
    } else if (ecdsa.isPresent() && ed25519.isEmpty()) {
      return new SignaturePair(prefix, PublicKey.Algorithm.ECDSA_SECP256K1, ecdsa.get());
    }
    throw fields.unreadable("is neither one of Ed25519 nor one of secp256k1");
  }

  static MessageBytes writeSignatures(List<SignaturePair> pairs) {
    var map = new MessageBytes();
    for (var pair : pairs) {
      boolean isEd25519 = pair.algorithm() == PublicKey.Algorithm.ED25519;
      map.message(
          1,
          new MessageBytes()
              .bytes(1, pair.prefix())
              .message(isEd25519 ? PAIR_ED25519 : PAIR_ECDSA_SECP256K1, pair.signature()));
    }
    return map;
  }
}
