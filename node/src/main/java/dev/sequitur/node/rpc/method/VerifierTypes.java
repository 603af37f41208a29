package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.sequencer.crypto.Secp256k1Signatures;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/** In which forms a verifier can be asked for. */
enum VerifierTypes {
  /** The base-ledger address of the key. */
  ADDRESS("eth_address", verifier -> new Secp256k1Signatures().address(verifier).toString()),
  /** What signatures are checked against: 0x and 66 digits. */
  COMPRESSED_KEY("hex_pubkey_compressed_0x", Verifier::toString);

  static final String ALGORITHM = "ecdsa:secp256k1";

  private final String label;
  private final Function<Verifier, String> rendering;

  VerifierTypes(String label, Function<Verifier, String> rendering) {
    this.label = label;
    this.rendering = rendering;
  }

  String label() {
    return label;
  }

  String render(Verifier verifier) {
    return rendering.apply(verifier);
  }

  static String supported() {
    return Arrays.stream(values()).map(VerifierTypes::label).collect(Collectors.joining(" or "));
  }

  /**
   * @throws RpcFailure if algorithm or type is not one of ours
   */
  static VerifierTypes check(String algorithm, String verifierType) {
    if (!algorithm.equals(ALGORITHM)) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED_VERIFIER,
          "The keys here are of one algorithm. Ask for %s.".formatted(ALGORITHM));
    }
    return Arrays.stream(values())
        .filter(type -> type.label.equals(verifierType))
        .findFirst()
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.UNSUPPORTED_VERIFIER,
                    "There is no such verifier type here. Ask for %s.".formatted(supported())));
  }
}
