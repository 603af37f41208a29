package dev.sequitur.ethereum;

import com.esaulpaugh.headlong.abi.Address;
import com.esaulpaugh.headlong.abi.Function;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.ChangeFlaw;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The functions, events and errors of {@code PrivacyGroup.sol} and its factory. Pure. */
final class GroupContract {
  /**
   * What {@code Transitions} says of each transition, in the order of the contract's enumeration.
   */
  enum Outcome {
    FULFILLED(null, ""),
    INTENT_FULFILLED(RevertReason.INTENT_FULFILLED, "The intent is fulfilled already."),
    STATE_UNAVAILABLE(
        RevertReason.STATE_UNAVAILABLE, "An input or a read is spent, or was never made."),
    STATE_EXISTS(RevertReason.STATE_EXISTS, "An output exists already."),
    ENDORSEMENT_INVALID(
        RevertReason.ENDORSEMENT_INVALID, "Fewer members have validly endorsed than must."),
    COMMITTEE_CHANGED(
        RevertReason.COMMITTEE_CHANGED,
        "A committee has endorsed that counts no more in this block.");

    private final RevertReason reason;
    private final String message;

    Outcome(RevertReason reason, String message) {
      this.reason = reason;
      this.message = message;
    }

    /** Empty if it was fulfilled. */
    Optional<RevertReason> reason() {
      return Optional.ofNullable(reason);
    }

    String message() {
      return message;
    }
  }

  private static final Function FULFILL_CALL = new Function("fulfill(bytes)");
  private static final Function CHANGE_CALL = new Function("change(bytes)");
  private static final Function CREATE_CALL =
      new Function("create(bytes32,uint256,uint256,address[])");
  private static final Bytes FULFILL = Bytes.of(FULFILL_CALL.selector());
  private static final Bytes CHANGE = Bytes.of(CHANGE_CALL.selector());
  private static final Bytes CREATE = Bytes.of(CREATE_CALL.selector());
  private static final Bytes TRANSITIONS = topic("Transitions(bytes)");
  private static final Bytes CHANGED = topic("CommitteeChanged(uint256)");
  private static final Bytes CREATED =
      topic("Created(address,bytes32,address,uint256,uint256,address[])");
  private static final List<Outcome> OUTCOMES = List.of(Outcome.values());
  private static final String CHANGE_REFUSED = selector("ChangeRefused(uint8)").toHex();
  private static final List<ChangeFlaw> FLAWS = List.of(ChangeFlaw.values());
  private static final int SELECTOR = 4;

  /** Characters of what a contract of somebody else says; it may say a block's worth. */
  private static final int MOST_SAID = 1_024;

  private static final int WORD = 32;

  /** The errors without parameters that a call may end with. */
  private static final List<String> ERRORS =
      List.of("Malformed()", "NoGroup()", "CalledByContract()", "BadTerms()");

  private GroupContract() {}

  static Bytes fulfill(byte[] groups) {
    return ContractAbi.call(FULFILL_CALL, groups);
  }

  /**
   * @param change as {@link ChangeCall} lays it out
   */
  static Bytes change(byte[] change) {
    return ContractAbi.call(CHANGE_CALL, change);
  }

  /**
   * @param changeThreshold how many must sign for another committee
   * @param committee ascending
   */
  static Bytes create(
      Hash genesis, int threshold, int changeThreshold, List<LedgerAddress> committee) {
    return ContractAbi.call(
        CREATE_CALL,
        genesis.toByteArray(),
        BigInteger.valueOf(threshold),
        BigInteger.valueOf(changeThreshold),
        committee.stream()
            .map(member -> ContractAbi.address(member.value()))
            .toArray(Address[]::new));
  }

  /** The hash of the genesis that a call of {@code create} names, if it does. */
  static Optional<Hash> genesis(Bytes data) {
    return data.size() < SELECTOR + WORD
        ? Optional.empty()
        : Optional.of(Hash.of(Arrays.copyOfRange(data.toByteArray(), SELECTOR, SELECTOR + WORD)));
  }

  static boolean isFulfill(Bytes data) {
    return startsWith(data, FULFILL);
  }

  static boolean isChange(Bytes data) {
    return startsWith(data, CHANGE);
  }

  static boolean isCreate(Bytes data) {
    return startsWith(data, CREATE);
  }

  private static boolean startsWith(Bytes data, Bytes selector) {
    return data.size() >= SELECTOR
        && Arrays.equals(data.toByteArray(), 0, SELECTOR, selector.toByteArray(), 0, SELECTOR);
  }

  /**
   * What a call of {@code fulfill} was given. The place of the bytes may be anywhere in the data,
   * as for the contract.
   *
   * @throws IllegalArgumentException if the contract does not take it
   */
  static FulfilledGroups fulfilled(Bytes data) {
    return FulfilledGroups.read(dynamicBytes(data.toByteArray(), SELECTOR));
  }

  /**
   * What a call of {@code change} was given.
   *
   * @throws IllegalArgumentException if the contract does not take it
   */
  static ChangeCall changed(Bytes data) {
    return ChangeCall.read(dynamicBytes(data.toByteArray(), SELECTOR));
  }

  /**
   * The only value of a list of values, which begins there.
   *
   * @throws IllegalArgumentException if it is not there
   */
  private static byte[] dynamicBytes(byte[] data, int start) {
    int begin = start + number(data, start);
    int length = number(data, begin);
    if (data.length - begin - WORD < length) {
      throw new IllegalArgumentException("The call ends too early.");
    }
    return Arrays.copyOfRange(data, begin + WORD, begin + WORD + length);
  }

  private static int number(byte[] data, int offset) {
    if (offset < 0 || data.length - offset < WORD) {
      throw new IllegalArgumentException("The call ends too early.");
    }
    var number = new BigInteger(1, Arrays.copyOfRange(data, offset, offset + WORD));
    if (number.bitLength() >= Integer.SIZE - 1) {
      throw new IllegalArgumentException("The call speaks of more than it has.");
    }
    return number.intValue();
  }

  /** Whether an event is {@code Transitions}. */
  static boolean isTransitions(Bytes topic) {
    return topic.equals(TRANSITIONS);
  }

  static boolean isChanged(Bytes topic) {
    return topic.equals(CHANGED);
  }

  static boolean isCreated(Bytes topic) {
    return topic.equals(CREATED);
  }

  /**
   * What became of each transition of a call.
   *
   * @param data of the event
   * @return none if it is no group's: what is no group may say anything
   */
  static List<Outcome> outcomes(Bytes data) {
    var outcomes = new ArrayList<Outcome>();
    try {
      for (byte outcome : dynamicBytes(data.toByteArray(), 0)) {
        outcomes.add(OUTCOMES.get(Byte.toUnsignedInt(outcome)));
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException noGroup) {
      return List.of();
    }
    return outcomes;
  }

  /**
   * The address that a topic or a word holds.
   *
   * @param word 32 bytes
   */
  static ContractAddress address(Bytes word) {
    byte[] bytes = word.toByteArray();
    return new ContractAddress(Bytes.of(Arrays.copyOfRange(bytes, WORD - 20, WORD)).toHex());
  }

  /**
   * Why a change was not taken, as the contract says in {@code ChangeRefused}; empty if it says
   * something else, and if it is no group's: what is no group may say anything.
   */
  static Optional<ChangeFlaw> flaw(String data) {
    if (!data.startsWith(CHANGE_REFUSED)) {
      return Optional.empty();
    }
    try {
      return Optional.of(FLAWS.get(number(Bytes.hex(data).toByteArray(), SELECTOR)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException noGroup) {
      return Optional.empty();
    }
  }

  /** The name of the error that a call ended with; what it said if it is another's. */
  static String error(String data) {
    return ERRORS.stream()
        .filter(error -> data.startsWith(selector(error).toHex()))
        .findFirst()
        .orElseGet(() -> data.isEmpty() ? "no reason" : beginning(data));
  }

  private static String beginning(String said) {
    return said.length() <= MOST_SAID
        ? said
        : said.substring(0, MOST_SAID) + "… (" + said.length() + " characters)";
  }

  private static Bytes topic(String event) {
    return Bytes.of(Digests.keccak256(Bytes.utf8(event)).toByteArray());
  }

  static Bytes selector(String function) {
    return Bytes.of(
        ByteBuffer.allocate(SELECTOR).put(topic(function).toByteArray(), 0, SELECTOR).array());
  }
}
