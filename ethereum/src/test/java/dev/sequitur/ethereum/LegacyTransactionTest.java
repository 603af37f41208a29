package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.ledger.Fees;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class LegacyTransactionTest {
  /** The example of EIP-155. */
  @Test
  void itIsSignedAsTheStandardSays() {
    var transaction =
        ChainTransaction.of(
            true,
            1,
            9,
            new Fees(20_000_000_000L, 1),
            21_000,
            Bytes.hex("0x" + "35".repeat(20)),
            BigInteger.TEN.pow(18),
            Bytes.EMPTY);

    assertThat(transaction.digest().toString())
        .isEqualTo("0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53");
    var signature =
        "0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276"
            + "67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83"
            + "1b";
    assertThat(transaction.signed(Bytes.hex(signature)).toHex())
        .isEqualTo(
            "0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a7640000"
                + "8025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8"
                + "997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83");
  }
}
