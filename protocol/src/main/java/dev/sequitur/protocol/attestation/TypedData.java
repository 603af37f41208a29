package dev.sequitur.protocol.attestation;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** The encoding of EIP-712, as far as attestations need it: words of 32 bytes, hashed. */
final class TypedData {
  private static final int WORD = 32;
  private static final int ADDRESS = 20;
  private static final int DOMAIN_AND_MESSAGE = 0x1901;
  private static final Hash DOMAIN_TYPE =
      type("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

  private final ByteArrayOutputStream words = new ByteArrayOutputStream();

  private TypedData() {}

  /** The hash of a type's description, such as {@code Mail(address to,string contents)}. */
  static Hash type(String description) {
    return Digests.keccak256(Bytes.utf8(description));
  }

  /** A structure of that type; its members are added in their order. */
  static TypedData struct(Hash type) {
    return new TypedData().add(type);
  }

  TypedData add(Hash word) {
    words.writeBytes(word.toByteArray());
    return this;
  }

  /**
   * @param value not negative
   */
  TypedData add(long value) {
    words.writeBytes(ByteBuffer.allocate(WORD).putLong(WORD - Long.BYTES, value).array());
    return this;
  }

  /** Text stands there as its hash. */
  TypedData add(String text) {
    return add(Digests.keccak256(Bytes.utf8(text)));
  }

  TypedData add(ContractAddress address) {
    var bytes = Bytes.hex(address.value()).toByteArray();
    words.writeBytes(ByteBuffer.allocate(WORD).put(WORD - ADDRESS, bytes).array());
    return this;
  }

  /** Bytes of a fixed number, at most 32: they stand on the left. */
  TypedData addLeft(byte[] bytes) {
    words.writeBytes(ByteBuffer.allocate(WORD).put(bytes).array());
    return this;
  }

  /** An array of words stands there as the hash of all of them. */
  TypedData add(List<Hash> array) {
    var content = ByteBuffer.allocate(array.size() * WORD);
    array.forEach(word -> content.put(word.toByteArray()));
    return add(Digests.keccak256(Bytes.of(content.array())));
  }

  Hash hash() {
    return Digests.keccak256(Bytes.of(words.toByteArray()));
  }

  /** What keeps signatures for one contract, of one chain, from meaning anything elsewhere. */
  static Hash domain(String name, String version, long chainId, ContractAddress contract) {
    return struct(DOMAIN_TYPE).add(name).add(version).add(chainId).add(contract).hash();
  }

  /** What is signed. */
  static Hash digest(Hash domain, Hash message) {
    return Digests.keccak256(
        Bytes.of(
            ByteBuffer.allocate(Short.BYTES + 2 * WORD)
                .putShort((short) DOMAIN_AND_MESSAGE)
                .put(domain.toByteArray())
                .put(message.toByteArray())
                .array()));
  }
}
