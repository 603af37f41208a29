package dev.sequitur.ledger.remote;

import dev.sequitur.encoding.ByteReader;
import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.Codec;
import dev.sequitur.ledger.codec.LedgerFormat;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The bodies of requests and answers; each begins with a version. */
final class LedgerCalls {
  static final String SUBMIT = "/ledger/submit";
  static final String NONCE = "/ledger/nonce";
  static final String PENDING_NONCE = "/ledger/pending-nonce";
  static final String KNOWS = "/ledger/knows";
  static final String HEAD = "/ledger/head";
  static final String BLOCKS = "/ledger/blocks";
  static final String RECEIPT = "/ledger/receipt";
  static final String TRANSACTION = "/ledger/transaction";
  static final String USED_NONCE = "/ledger/used-nonce";

  /** Which a web page may not send to another's server without asking it first. */
  static final String CONTENT_TYPE = "application/octet-stream";

  /** Bytes of a request at most. */
  static final int MAX_REQUEST = 8 << 20;

  /** Bytes of an answer at most; only a single block can come near. */
  static final int MAX_ANSWER = 256 << 20;

  private static final int VERSION = 4;

  private LedgerCalls() {}

  /** What is to be submitted, and what of it shall revert. */
  record Submit(
      List<SignedLedgerTransaction> transactions, Map<TransactionHash, Set<Integer>> doomed) {}

  /** A head that is known already, and how long to wait for another one. */
  record HeadAfter(BlockHeight known, int waitMillis) {}

  record BlocksFrom(BlockHeight from, int limit) {}

  static byte[] encode(Submit submit) {
    return encode(LedgerFormat.of(Submit.class), submit);
  }

  static Submit decodeSubmit(byte[] body) {
    return decode(LedgerFormat.of(Submit.class), body);
  }

  static byte[] encodeOutcomes(List<SubmitOutcome> outcomes) {
    return encode(LedgerFormat.listOf(SubmitOutcome.class), outcomes);
  }

  static List<SubmitOutcome> decodeOutcomes(byte[] body) {
    return decode(LedgerFormat.listOf(SubmitOutcome.class), body);
  }

  static byte[] encode(HeadAfter head) {
    return encode(LedgerFormat.of(HeadAfter.class), head);
  }

  static HeadAfter decodeHeadAfter(byte[] body) {
    return decode(LedgerFormat.of(HeadAfter.class), body);
  }

  static byte[] encode(BlockHeight height) {
    return encode(LedgerFormat.of(BlockHeight.class), height);
  }

  static BlockHeight decodeHeight(byte[] body) {
    return decode(LedgerFormat.of(BlockHeight.class), body);
  }

  static byte[] encodeNumber(long number) {
    return encode(LedgerFormat.of(Long.class), number);
  }

  static long decodeNumber(byte[] body) {
    return decode(LedgerFormat.of(Long.class), body);
  }

  static byte[] encode(LedgerAddress address) {
    return encode(LedgerFormat.SIGNER, address);
  }

  static LedgerAddress decodeAddress(byte[] body) {
    return decode(LedgerFormat.SIGNER, body);
  }

  static byte[] encode(Receipt.Nonce used) {
    return encode(LedgerFormat.of(Receipt.Nonce.class), used);
  }

  static Receipt.Nonce decodeNonce(byte[] body) {
    return decode(LedgerFormat.of(Receipt.Nonce.class), body);
  }

  static byte[] encode(BlocksFrom blocks) {
    return encode(LedgerFormat.of(BlocksFrom.class), blocks);
  }

  static BlocksFrom decodeBlocksFrom(byte[] body) {
    return decode(LedgerFormat.of(BlocksFrom.class), body);
  }

  static byte[] encodeBlocks(List<Block> blocks) {
    return encode(LedgerFormat.listOf(Block.class), blocks);
  }

  static List<Block> decodeBlocks(byte[] body) {
    return decode(LedgerFormat.listOf(Block.class), body);
  }

  static byte[] encode(TransactionHash hash) {
    return encode(LedgerFormat.of(TransactionHash.class), hash);
  }

  static TransactionHash decodeHash(byte[] body) {
    return decode(LedgerFormat.of(TransactionHash.class), body);
  }

  static <T> byte[] encodeFound(Class<T> type, Optional<T> found) {
    return encode(LedgerFormat.listOf(type), found.stream().toList());
  }

  static <T> Optional<T> decodeFound(Class<T> type, byte[] body) {
    return decode(LedgerFormat.listOf(type), body).stream().findFirst();
  }

  private static <T> byte[] encode(Codec<T> codec, T value) {
    return new ByteWriter().raw(VERSION).put(codec, value).finish();
  }

  private static <T> T decode(Codec<T> codec, byte[] body) {
    return ByteReader.readAll(body, in -> codec.read(in.expectVersion(VERSION)));
  }
}
