package dev.sequitur.ledger.codec;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerAddress;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Signature;
import java.util.HexFormat;
import java.util.List;

/** Transactions, and the parts that receipts share with them. */
public final class TransactionCodec {
  private static final int DEPLOY = 1;
  private static final int INVOKE = 2;
  private static final int USE_NONCE = 3;
  private static final int KEY_BYTES = 33;
  private static final int ADDRESS_BYTES = 20;

  private TransactionCodec() {}

  public static void write(ByteWriter out, SignedLedgerTransaction signed) {
    var transaction = signed.transaction();
    write(out, transaction.signer());
    out.putLong(transaction.nonce()).putLong(transaction.gasPrice());
    switch (transaction.call()) {
      case LedgerTransaction.Deploy(var domain, var genesis) ->
          write(out.putByte(DEPLOY).putText(domain), genesis);
      case LedgerTransaction.Invoke(var prepared) -> write(out.putByte(INVOKE), prepared);
      case LedgerTransaction.UseNonce ignored -> out.putByte(USE_NONCE);
    }
    write(out.putHash(signed.hash().value()), signed.verifier());
    out.putBytes(signed.signature());
  }

  public static SignedLedgerTransaction readSigned(ByteReader in) {
    var transaction =
        new LedgerTransaction(readLedgerAddress(in), in.getLong(), in.getLong(), readCall(in));
    return new SignedLedgerTransaction(
        transaction, new TransactionHash(in.getHash()), readVerifier(in), in.getBytes());
  }

  private static LedgerTransaction.Call readCall(ByteReader in) {
    int kind = in.getByte();
    return switch (kind) {
      case DEPLOY -> new LedgerTransaction.Deploy(in.getText(), readGenesis(in));
      case INVOKE -> new LedgerTransaction.Invoke(readPrepared(in));
      case USE_NONCE -> new LedgerTransaction.UseNonce();
      default -> throw new MalformedBytesException("There is no call of kind " + kind + ".");
    };
  }

  private static void write(ByteWriter out, PreparedTransaction prepared) {
    write(out, prepared.intent());
    write(out, prepared.contract());
    writeStates(out, prepared.inputs());
    writeStates(out, prepared.reads());
    writeStates(out, prepared.outputs());
    out.putAll(
        prepared.endorsements(),
        (to, endorsement) -> {
          write(to.putText(endorsement.party().toString()), endorsement.verifier());
          to.putBytes(endorsement.value());
        });
  }

  private static PreparedTransaction readPrepared(ByteReader in) {
    return new PreparedTransaction(
        readIntent(in),
        readContract(in),
        readStates(in),
        readStates(in),
        readStates(in),
        in.getAll(
            from ->
                new Signature(
                    Identity.parse(from.getText()), readVerifier(from), from.getBytes())));
  }

  public static void write(ByteWriter out, ContractGenesis genesis) {
    out.putHash(genesis.group().value()).putText(genesis.name());
    out.putAll(
        genesis.committee().members(),
        (to, member) -> write(to.putText(member.identity().toString()), member.verifier()));
    out.putInt(genesis.endorsementThreshold()).putBytes(genesis.configuration());
  }

  public static ContractGenesis readGenesis(ByteReader in) {
    return new ContractGenesis(
        new GroupId(in.getHash()),
        in.getText(),
        new Committee(
            in.getAll(from -> new Member(Identity.parse(from.getText()), readVerifier(from)))),
        in.getInt(),
        in.getBytes());
  }

  public static void write(ByteWriter out, IntentKey intent) {
    out.putUuid(intent.transaction().value()).putHash(intent.commitment().value());
  }

  static IntentKey readIntent(ByteReader in) {
    return new IntentKey(new TransactionId(in.getUuid()), new SenderCommitment(in.getHash()));
  }

  static void writeStates(ByteWriter out, List<StateId> states) {
    out.putAll(states, (to, state) -> to.putHash(state.value()));
  }

  static List<StateId> readStates(ByteReader in) {
    return in.getAll(from -> new StateId(from.getHash()));
  }

  public static void write(ByteWriter out, LedgerAddress address) {
    out.putRaw(HexFormat.of().parseHex(address.value(), 2, 2 + 2 * ADDRESS_BYTES));
  }

  public static LedgerAddress readLedgerAddress(ByteReader in) {
    return new LedgerAddress(readAddress(in));
  }

  public static void write(ByteWriter out, ContractAddress address) {
    out.putRaw(HexFormat.of().parseHex(address.value(), 2, 2 + 2 * ADDRESS_BYTES));
  }

  public static ContractAddress readContract(ByteReader in) {
    return new ContractAddress(readAddress(in));
  }

  private static String readAddress(ByteReader in) {
    return "0x" + HexFormat.of().formatHex(in.getRaw(ADDRESS_BYTES));
  }

  public static void write(ByteWriter out, Verifier verifier) {
    out.putRaw(verifier.publicKey().toByteArray());
  }

  public static Verifier readVerifier(ByteReader in) {
    return new Verifier(Bytes.of(in.getRaw(KEY_BYTES)));
  }
}
