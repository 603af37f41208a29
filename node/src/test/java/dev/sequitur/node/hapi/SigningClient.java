package dev.sequitur.node.hapi;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.scheduler.body.SignaturePair;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Makes transactions for a front as a client does, without being one. */
final class SigningClient {
  private static final int KEY_BYTES = 32;

  final KeyPair operator = ed25519();
  private final TransactionWriter writer =
      new TransactionWriter(Profile.CURRENT, new NodeAccount(0, 3));
  private long started;

  static KeyPair ed25519() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static PublicKey publicKey(KeyPair pair) {
    return new PublicKey(
        PublicKey.Algorithm.ED25519, Bytes.of(last(pair.getPublic().getEncoded())));
  }

  /** As an SDK reads it. */
  static String secret(KeyPair pair) {
    return HexFormat.of().formatHex(last(pair.getPrivate().getEncoded()));
  }

  /** The key itself is the end of its encoding, secret or not. */
  private static byte[] last(byte[] encoded) {
    return Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
  }

  /** A new one of the operator, valid from a second ago. */
  AccountTransactionId id() {
    var now = ConsensusTime.of(Instant.now().minusSeconds(1));
    return AccountTransactionId.submitted(
        new ConsensusTime(now.nanos() + started++), FrontUnderTest.OPERATOR);
  }

  /** What the operator pays the front for a question. */
  Bytes payment(long price) {
    var rows =
        List.of(
            new AccountAmount(FrontUnderTest.OPERATOR, -price),
            new AccountAmount(new EntityId(3), price));
    return signed(id(), new Operation.CryptoTransfer(new Action.CryptoTransfer(rows)), operator);
  }

  Bytes signed(AccountTransactionId id, Operation operation, KeyPair... keys) {
    return signed(writer, id, operation, keys);
  }

  static Bytes signed(
      TransactionWriter by, AccountTransactionId id, Operation operation, KeyPair... keys) {
    var body = by.body(new Header(id, 120, 1_000, ""), operation);
    List<SignaturePair> pairs = Stream.of(keys).map(key -> pair(body, key)).toList();
    return TransactionWriter.signed(body, pairs);
  }

  private static SignaturePair pair(Bytes body, KeyPair key) {
    try {
      var signer = Signature.getInstance("Ed25519");
      signer.initSign(key.getPrivate());
      signer.update(body.toByteArray());
      return new SignaturePair(
          publicKey(key).value(), PublicKey.Algorithm.ED25519, Bytes.of(signer.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
