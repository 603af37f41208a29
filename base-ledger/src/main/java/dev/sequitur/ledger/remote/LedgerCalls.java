package dev.sequitur.ledger.remote;

import dev.sequitur.ledger.codec.BlockCodec;
import dev.sequitur.ledger.codec.ByteReader;
import dev.sequitur.ledger.codec.ByteWriter;
import dev.sequitur.ledger.codec.TransactionCodec;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** The bodies of requests and answers; each begins with a version. */
final class LedgerCalls {
  static final String SUBMIT = "/ledger/submit";
  static final String NONCE = "/ledger/nonce";
  static final String HEAD = "/ledger/head";
  static final String BLOCKS = "/ledger/blocks";
  static final String RECEIPT = "/ledger/receipt";

  /** Which a web page may not send to another's server without asking it first. */
  static final String CONTENT_TYPE = "application/octet-stream";

  /** Bytes of a request at most. */
  static final int MAX_REQUEST = 8 << 20;

  /** Bytes of an answer at most; only a single block can come near. */
  static final int MAX_ANSWER = 256 << 20;

  private static final int VERSION = 1;

  private LedgerCalls() {}

  /** What is to be submitted, and what of it shall revert. */
  record Submit(List<SignedLedgerTransaction> transactions, Set<TransactionHash> doomed) {}

  /** A head that is known already, and how long to wait for another one. */
  record HeadAfter(BlockHeight known, int waitMillis) {}

  record BlocksFrom(BlockHeight from, int limit) {}

  static byte[] encode(Submit submit) {
    return encode(
        out -> {
          out.putAll(submit.transactions(), TransactionCodec::write);
          out.putAll(submit.doomed(), (to, hash) -> to.putHash(hash.value()));
        });
  }

  static Submit decodeSubmit(byte[] body) {
    return decode(
        body,
        in ->
            new Submit(
                in.getAll(TransactionCodec::readSigned),
                Set.copyOf(in.getAll(from -> new TransactionHash(from.getHash())))));
  }

  static byte[] encodeOutcomes(List<SubmitOutcome> outcomes) {
    return encode(out -> out.putAll(outcomes, BlockCodec::write));
  }

  static List<SubmitOutcome> decodeOutcomes(byte[] body) {
    return decode(body, in -> in.getAll(BlockCodec::readOutcome));
  }

  static byte[] encode(HeadAfter head) {
    return encode(out -> out.putLong(head.known().value()).putInt(head.waitMillis()));
  }

  static HeadAfter decodeHeadAfter(byte[] body) {
    return decode(body, in -> new HeadAfter(new BlockHeight(in.getLong()), in.getInt()));
  }

  static byte[] encode(BlockHeight height) {
    return encodeNumber(height.value());
  }

  static BlockHeight decodeHeight(byte[] body) {
    return new BlockHeight(decodeNumber(body));
  }

  static byte[] encodeNumber(long number) {
    return encode(out -> out.putLong(number));
  }

  static long decodeNumber(byte[] body) {
    return decode(body, ByteReader::getLong);
  }

  static byte[] encode(LedgerAddress address) {
    return encode(out -> TransactionCodec.write(out, address));
  }

  static LedgerAddress decodeAddress(byte[] body) {
    return decode(body, TransactionCodec::readLedgerAddress);
  }

  static byte[] encode(BlocksFrom blocks) {
    return encode(out -> out.putLong(blocks.from().value()).putInt(blocks.limit()));
  }

  static BlocksFrom decodeBlocksFrom(byte[] body) {
    return decode(body, in -> new BlocksFrom(new BlockHeight(in.getLong()), in.getInt()));
  }

  static byte[] encodeBlocks(List<Block> blocks) {
    return encode(out -> out.putAll(blocks, BlockCodec::write));
  }

  static List<Block> decodeBlocks(byte[] body) {
    return decode(body, in -> in.getAll(BlockCodec::readBlock));
  }

  static byte[] encode(TransactionHash hash) {
    return encode(out -> out.putHash(hash.value()));
  }

  static TransactionHash decodeHash(byte[] body) {
    return decode(body, in -> new TransactionHash(in.getHash()));
  }

  static byte[] encodeReceipt(Optional<LedgerReceipt> receipt) {
    return encode(out -> out.putAll(receipt.stream().toList(), BlockCodec::write));
  }

  static Optional<LedgerReceipt> decodeReceipt(byte[] body) {
    return decode(body, in -> in.getAll(BlockCodec::readReceipt).stream().findFirst());
  }

  private static byte[] encode(Consumer<ByteWriter> content) {
    var out = new ByteWriter().putByte(VERSION);
    content.accept(out);
    return out.toByteArray();
  }

  private static <T> T decode(byte[] body, Function<ByteReader, T> content) {
    return ByteReader.readAll(
        body,
        in -> {
          in.expectVersion(VERSION);
          return content.apply(in);
        });
  }
}
