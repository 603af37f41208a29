package dev.sequitur.client.command.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.client.command.schedule.PersonalKey.Algorithm;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import fr.acinq.secp256k1.Secp256k1;
import java.io.IOException;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.util.BigIntegers;
import org.junit.jupiter.api.RepeatedTest;

class PersonalKeyTest {
  private static final Bytes CONTENT = Bytes.utf8("what is signed");

  /** Half of the signatures would be the higher one of the two. */
  @RepeatedTest(10)
  void aKeyOfSecp256k1SignsAsTheNodesLibraryDoes() throws IOException {
    var key = PersonalKey.random(Algorithm.SECP256K1);

    var library = Secp256k1.get();
    var secret = secret(key);
    var digest = Digests.keccak256(CONTENT).toByteArray();
    assertThat(key.sign(CONTENT)).isEqualTo(Bytes.of(library.sign(digest, secret)));
    assertThat(key.point()).isEqualTo(library.pubKeyCompress(library.pubkeyCreate(secret)));
    assertThat(PersonalKey.of(PrivateKeyInfo.getInstance(key.encoded())))
        .get()
        .extracting(PersonalKey::publicKey)
        .isEqualTo(key.publicKey());
  }

  private static byte[] secret(PersonalKey key) throws IOException {
    var read = (ECPrivateKeyParameters) PrivateKeyFactory.createKey(key.encoded());
    return BigIntegers.asUnsignedByteArray(32, read.getD());
  }
}
