package dev.sequitur.node.rpc.method;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.ChecksumAddress;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.group.Verifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** In which forms a verifier can be asked for. */
enum VerifierTypes {
  /** The base-ledger address of the key. */
  ADDRESS("eth_address"),
  /** The same with capitals by ERC-55, which show a slip of a digit. */
  CHECKED_ADDRESS("eth_address_checksum"),
  /** Both coordinates, 128 digits. */
  PLAIN_KEY("hex_ecdsa_pubkey_uncompressed"),
  /** The same after 0x. */
  KEY("hex_ecdsa_pubkey_uncompressed_0x"),
  /** What signatures are checked against: 0x and 66 digits. */
  COMPRESSED_KEY("hex_pubkey_compressed_0x");

  static final String SECP256K1 = "ecdsa:secp256k1";
  static final Field<String> ALGORITHM =
      Field.of("algorithm", told(List.of(SECP256K1)), "of the key");
  static final Field<String> TYPE =
      Field.of(
          "verifierType",
          told(Stream.of(values()).map(VerifierTypes::label).toList()),
          "in which form");

  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();

  private final String label;

  VerifierTypes(String label) {
    this.label = label;
  }

  /** Another word is refused by {@link #of}, with a code of its own. */
  private static Format<String> told(List<String> words) {
    return Format.of(Format.among(words).type(), Shape.among(words), Formats.TEXT::read);
  }

  String label() {
    return label;
  }

  String render(Verifier verifier) {
    return switch (this) {
      case ADDRESS -> SIGNATURES.address(verifier).toString();
      case CHECKED_ADDRESS -> ChecksumAddress.of(SIGNATURES.address(verifier));
      case PLAIN_KEY -> KEY.render(verifier).substring("0x".length());
      case KEY -> SIGNATURES.coordinates(verifier).toHex();
      case COMPRESSED_KEY -> verifier.toString();
    };
  }

  static String supported() {
    return Arrays.stream(values()).map(VerifierTypes::label).collect(Collectors.joining(", "));
  }

  /**
   * The one that a call with {@link #ALGORITHM} and {@link #TYPE} asks for.
   *
   * @throws RpcFailure if algorithm or type is not one of ours
   */
  static VerifierTypes of(Call call) {
    if (!call.get(ALGORITHM).equals(SECP256K1)) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED_VERIFIER,
          "The keys here are of one algorithm. Ask for %s.".formatted(SECP256K1));
    }
    return Arrays.stream(values())
        .filter(type -> type.label.equals(call.get(TYPE)))
        .findFirst()
        .orElseThrow(
            () ->
                new RpcFailure(
                    ErrorCode.UNSUPPORTED_VERIFIER,
                    "There is no such verifier type here. Ask for one of %s."
                        .formatted(supported())));
  }
}
