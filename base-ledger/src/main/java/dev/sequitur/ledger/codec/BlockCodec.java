package dev.sequitur.ledger.codec;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.NonceUsed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import java.time.Instant;

/** Blocks, their receipts, and what the pool answers. */
public final class BlockCodec {
  private static final int DEPLOYED = 1;
  private static final int FULFILLED = 2;
  private static final int REVERTED = 3;
  private static final int NONCE_USED = 4;

  private static final int POOLED = 1;
  private static final int NONCE_TOO_LOW = 2;
  private static final int UNDERPRICED = 3;
  private static final int POOL_FULL = 4;
  private static final int INVALID = 5;

  private BlockCodec() {}

  public static void write(ByteWriter out, Block block) {
    out.putLong(block.height().value()).putHash(block.hash()).putHash(block.parent());
    out.putLong(block.timestamp().toEpochMilli());
    out.putAll(block.receipts(), BlockCodec::write);
  }

  public static Block readBlock(ByteReader in) {
    return new Block(
        new BlockHeight(in.getLong()),
        in.getHash(),
        in.getHash(),
        Instant.ofEpochMilli(in.getLong()),
        in.getAll(BlockCodec::readReceipt));
  }

  public static void write(ByteWriter out, LedgerReceipt receipt) {
    TransactionCodec.write(out.putHash(receipt.hash().value()), receipt.signer());
    out.putLong(receipt.nonce()).putLong(receipt.block().value()).putInt(receipt.index());
    write(out, receipt.result());
  }

  public static LedgerReceipt readReceipt(ByteReader in) {
    return new LedgerReceipt(
        new TransactionHash(in.getHash()),
        TransactionCodec.readLedgerAddress(in),
        in.getLong(),
        new BlockHeight(in.getLong()),
        in.getInt(),
        readResult(in));
  }

  private static void write(ByteWriter out, Result result) {
    switch (result) {
      case Deployed deployed -> {
        TransactionCodec.write(out.putByte(DEPLOYED), deployed.contract());
        TransactionCodec.write(out.putText(deployed.domain()), deployed.genesis());
      }
      case Fulfilled fulfilled -> {
        TransactionCodec.write(out.putByte(FULFILLED), fulfilled.contract());
        TransactionCodec.write(out, fulfilled.intent());
        TransactionCodec.writeStates(out, fulfilled.spent());
        TransactionCodec.writeStates(out, fulfilled.read());
        TransactionCodec.writeStates(out, fulfilled.created());
      }
      case Reverted reverted -> {
        TransactionCodec.write(out.putByte(REVERTED), reverted.contract());
        TransactionCodec.write(out, reverted.intent());
        // by name, so that a new reason between two others changes nothing that was written
        out.putText(reverted.reason().name()).putText(reverted.message());
      }
      case NonceUsed ignored -> out.putByte(NONCE_USED);
    }
  }

  private static Result readResult(ByteReader in) {
    int kind = in.getByte();
    return switch (kind) {
      case DEPLOYED ->
          new Deployed(
              TransactionCodec.readContract(in), in.getText(), TransactionCodec.readGenesis(in));
      case FULFILLED ->
          new Fulfilled(
              TransactionCodec.readContract(in),
              TransactionCodec.readIntent(in),
              TransactionCodec.readStates(in),
              TransactionCodec.readStates(in),
              TransactionCodec.readStates(in));
      case REVERTED ->
          new Reverted(
              TransactionCodec.readContract(in),
              TransactionCodec.readIntent(in),
              RevertReason.valueOf(in.getText()),
              in.getText());
      case NONCE_USED -> new NonceUsed();
      default -> throw new MalformedBytesException("There is no receipt of kind " + kind + ".");
    };
  }

  public static void write(ByteWriter out, SubmitOutcome outcome) {
    switch (outcome) {
      case SubmitOutcome.Pooled(var hash) -> out.putByte(POOLED).putHash(hash.value());
      case SubmitOutcome.NonceTooLow(var hash, var expected) ->
          out.putByte(NONCE_TOO_LOW).putHash(hash.value()).putLong(expected);
      case SubmitOutcome.Underpriced(var hash, var needed) ->
          out.putByte(UNDERPRICED).putHash(hash.value()).putLong(needed);
      case SubmitOutcome.PoolFull(var hash) -> out.putByte(POOL_FULL).putHash(hash.value());
      case SubmitOutcome.Invalid(var hash, var reason) ->
          out.putByte(INVALID).putHash(hash.value()).putText(reason);
    }
  }

  public static SubmitOutcome readOutcome(ByteReader in) {
    int kind = in.getByte();
    var hash = new TransactionHash(in.getHash());
    return switch (kind) {
      case POOLED -> new SubmitOutcome.Pooled(hash);
      case NONCE_TOO_LOW -> new SubmitOutcome.NonceTooLow(hash, in.getLong());
      case UNDERPRICED -> new SubmitOutcome.Underpriced(hash, in.getLong());
      case POOL_FULL -> new SubmitOutcome.PoolFull(hash);
      case INVALID -> new SubmitOutcome.Invalid(hash, in.getText());
      default -> throw new MalformedBytesException("There is no outcome of kind " + kind + ".");
    };
  }
}
