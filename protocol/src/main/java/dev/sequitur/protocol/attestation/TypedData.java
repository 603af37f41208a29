package dev.sequitur.protocol.attestation;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The encoding of EIP-712, as far as the protocol needs it: words of 32 bytes, hashed. */
public final class TypedData {
  private static final int WORD = 32;
  private static final int ADDRESS = 20;
  private static final int DOMAIN_AND_MESSAGE = 0x1901;
  private static final Hash DOMAIN_TYPE =
      type("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

  private static final Hash NAME = text("Sequitur");
  private static final Hash VERSION = text("1");

  private final List<Hash> words = new ArrayList<>();

  private TypedData() {}

  /** The hash of a type's description, such as {@code Mail(address to,string contents)}. */
  public static Hash type(String description) {
    return text(description);
  }

  /** Text stands in a structure as its hash. */
  public static Hash text(String text) {
    return Digests.keccak256(Bytes.utf8(text));
  }

  /** A structure of that type; its members are added in their order. */
  public static TypedData struct(Hash type) {
    return new TypedData().add(type);
  }

  public TypedData add(Hash word) {
    words.add(word);
    return this;
  }

  /**
   * @param value not negative
   */
  public TypedData add(long value) {
    return add(Hash.of(ByteBuffer.allocate(WORD).putLong(WORD - Long.BYTES, value).array()));
  }

  TypedData add(ContractAddress address) {
    var bytes = Bytes.hex(address.value()).toByteArray();
    return add(Hash.of(ByteBuffer.allocate(WORD).put(WORD - ADDRESS, bytes).array()));
  }

  /** Bytes of a fixed number, at most 32: they stand on the left. */
  TypedData addLeft(byte[] bytes) {
    return add(Hash.of(ByteBuffer.allocate(WORD).put(bytes).array()));
  }

  /** An array of words stands there as the hash of all of them. */
  public TypedData add(List<Hash> array) {
    return add(hash(array));
  }

  public Hash hash() {
    return hash(words);
  }

  private static Hash hash(List<Hash> words) {
    var content = ByteBuffer.allocate(words.size() * WORD);
    words.forEach(word -> word.writeTo(content));
    return Digests.keccak256(content.array());
  }

  /** The domain of what is signed for a group: it keeps that from meaning anything elsewhere. */
  public static Hash ofGroup(long chainId, ContractAddress contract) {
    return domain(NAME, VERSION, chainId, contract);
  }

  /**
   * What keeps signatures for one contract, of one chain, from meaning anything elsewhere.
   *
   * @param name the hash of that text, as of the version
   */
  static Hash domain(Hash name, Hash version, long chainId, ContractAddress contract) {
    return struct(DOMAIN_TYPE).add(name).add(version).add(chainId).add(contract).hash();
  }

  /** What is signed: the Keccak-256 hash of these bytes. */
  public static byte[] signed(Hash domain, Hash message) {
    var content = ByteBuffer.allocate(Short.BYTES + 2 * WORD).putShort((short) DOMAIN_AND_MESSAGE);
    domain.writeTo(content);
    message.writeTo(content);
    return content.array();
  }
}
