package dev.sequitur.ledger.remote;

import dev.sequitur.encoding.ByteReader;
import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.Codec;
import dev.sequitur.ledger.codec.LedgerFormat;
import dev.sequitur.protocol.checkpoint.Agreement;
import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.CheckpointStanding;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A call of the ledger; the bodies of its request and of its answer begin with a version.
 *
 * @param path that it is made at
 */
record LedgerCall<Q, A>(String path, Codec<Q> questions, Codec<A> answers) {
  static final LedgerCall<Submit, List<SubmitOutcome>> SUBMIT =
      new LedgerCall<>(
          "/ledger/submit",
          LedgerFormat.of(Submit.class),
          LedgerFormat.listOf(SubmitOutcome.class));
  static final LedgerCall<LedgerAddress, Long> NONCE =
      new LedgerCall<>("/ledger/nonce", LedgerFormat.SIGNER, LedgerFormat.of(Long.class));
  static final LedgerCall<LedgerAddress, Long> PENDING_NONCE =
      new LedgerCall<>("/ledger/pending-nonce", LedgerFormat.SIGNER, LedgerFormat.of(Long.class));
  static final LedgerCall<TransactionHash, Boolean> KNOWS =
      new LedgerCall<>(
          "/ledger/knows",
          LedgerFormat.of(TransactionHash.class),
          LedgerFormat.of(Long.class).as(known -> known ? 1L : 0L, number -> number == 1));
  static final LedgerCall<HeadAfter, BlockHeight> HEAD =
      new LedgerCall<>(
          "/ledger/head", LedgerFormat.of(HeadAfter.class), LedgerFormat.of(BlockHeight.class));
  static final LedgerCall<BlocksFrom, List<Block>> BLOCKS =
      new LedgerCall<>(
          "/ledger/blocks", LedgerFormat.of(BlocksFrom.class), LedgerFormat.listOf(Block.class));
  static final LedgerCall<TransactionHash, Optional<LedgerReceipt>> RECEIPT =
      new LedgerCall<>(
          "/ledger/receipt", LedgerFormat.of(TransactionHash.class), found(LedgerReceipt.class));
  static final LedgerCall<TransactionHash, Optional<LedgerTransaction>> TRANSACTION =
      new LedgerCall<>(
          "/ledger/transaction",
          LedgerFormat.of(TransactionHash.class),
          found(LedgerTransaction.class));
  static final LedgerCall<Receipt.Nonce, Optional<LedgerReceipt>> USED_NONCE =
      new LedgerCall<>(
          "/ledger/used-nonce", LedgerFormat.of(Receipt.Nonce.class), found(LedgerReceipt.class));

  /** How the ledger stands with its checkpoints; of each one height, which counts for nothing. */
  static final LedgerCall<BlockHeight, CheckpointStanding> CHECKPOINTS =
      new LedgerCall<>(
          "/ledger/checkpoints",
          LedgerFormat.of(BlockHeight.class),
          LedgerFormat.of(CheckpointStanding.class));

  static final LedgerCall<Agreement, Answer> AGREE =
      new LedgerCall<>(
          "/ledger/agree", LedgerFormat.of(Agreement.class), LedgerFormat.of(Answer.class));

  /** Which a web page may not send to another's server without asking it first. */
  static final String CONTENT_TYPE = "application/octet-stream";

  /** The status of an answer where blocks are asked for that were dropped. */
  static final int GONE = 410;

  /** Bytes of a request at most. */
  static final int MAX_REQUEST = 8 << 20;

  /** Bytes of an answer at most; only a single block can come near. */
  static final int MAX_ANSWER = 256 << 20;

  private static final int VERSION = 4;

  /** What is to be submitted, and what of it shall revert. */
  record Submit(
      List<SignedLedgerTransaction> transactions, Map<TransactionHash, Set<Integer>> doomed) {}

  /** A head that is known already, and how long to wait for another one. */
  record HeadAfter(BlockHeight known, int waitMillis) {}

  record BlocksFrom(BlockHeight from, int limit) {}

  private static <T> Codec<Optional<T>> found(Class<T> type) {
    return LedgerFormat.listOf(type)
        .as(found -> found.stream().toList(), all -> all.stream().findFirst());
  }

  byte[] ask(Q asked) {
    return encode(questions, asked);
  }

  Q asked(byte[] body) {
    return decode(questions, body);
  }

  byte[] answer(A answered) {
    return encode(answers, answered);
  }

  A answered(byte[] body) {
    return decode(answers, body);
  }

  private static <T> byte[] encode(Codec<T> codec, T value) {
    return new ByteWriter().raw(VERSION).put(codec, value).finish();
  }

  private static <T> T decode(Codec<T> codec, byte[] body) {
    return ByteReader.readAll(body, in -> codec.read(in.expectVersion(VERSION)));
  }
}
