package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.Optional;

/**
 * Reads and writes a CryptoUpdateTransactionBody, scheduled or not, in {@code mvp} of the key
 * alone. What Hedera has a code for that tells so with a receipt is read as it stands: the rules
 * refuse it.
 */
final class AccountUpdates {
  private static final int ACCOUNT = 2;
  private static final int KEY = 3;
  private static final int PROXY = 4;

  /** Nobody looks at it any more, as at the thresholds below. */
  private static final int PROXY_FRACTION = 5;

  private static final int SEND_THRESHOLD = 6;
  private static final int RECEIVE_THRESHOLD = 7;
  private static final int RENEWAL = 8;
  private static final int EXPIRATION = 9;

  /** The older of two ways to say it. */
  private static final int RECEIVER_SIG_FLAG = 10;

  private static final int SEND_THRESHOLD_VALUE = 11;
  private static final int RECEIVE_THRESHOLD_VALUE = 12;
  private static final int RECEIVER_SIG = 13;
  private static final int MEMO = 14;
  private static final int ASSOCIATIONS = 15;
  private static final int STAKED_ACCOUNT = 16;
  private static final int STAKED_NODE = 17;
  private static final int DECLINE_REWARD = 18;
  private static final int HOOKS_TO_DELETE = 19;
  private static final int HOOKS_TO_CREATE = 20;
  private static final int DELEGATION = 21;

  /** Of an AccountID: shard and realm, a number, an alias. */
  private static final int NUMBER = 3;

  private static final int ALIAS = 4;

  private AccountUpdates() {}

  static Action.CryptoUpdate read(MessageFields fields, Profile profile)
      throws UnreadableMessageException {
    return profile == Profile.MVP ? readKey(fields) : readChange(fields);
  }

  private static Action.CryptoUpdate readKey(MessageFields fields)
      throws UnreadableMessageException {
    var account = fields.takeMessage(ACCOUNT, "AccountID");
    var key = fields.takeBytes(KEY);
    fields.takeZeros(PROXY_FRACTION);
    fields.takeEmpty(DELEGATION);
    fields.requireUnsupportedAbsent(
        RENEWAL,
        EXPIRATION,
        SEND_THRESHOLD_VALUE,
        RECEIVER_SIG,
        MEMO,
        ASSOCIATIONS,
        STAKED_ACCOUNT,
        STAKED_NODE,
        DECLINE_REWARD,
        HOOKS_TO_DELETE,
        HOOKS_TO_CREATE,
        DELEGATION);
    fields.requireNothingLeft();
    if (account.isEmpty()) {
      throw fields.unreadable("names no AccountID");
    } else if (key.isEmpty()) {
      throw fields.unreadable("changes something other than the key, which alone can be changed");
    }
    return new Action.CryptoUpdate(
        CommonMessages.readEntity(account.get()),
        AccountChange.ofKey(CommonMessages.readKey(key.get())));
  }

  private static Action.CryptoUpdate readChange(MessageFields fields)
      throws UnreadableMessageException {
    var account = readAccount(fields.takeMessage(ACCOUNT, "AccountID"));
    refuseProxy(fields);
    ignoreThresholds(fields);
    fields.takeEmpty(DELEGATION);
    fields.requireUnsupportedAbsent(HOOKS_TO_DELETE, HOOKS_TO_CREATE, DELEGATION);
    var key = readKey(fields.takeBytes(KEY));
    var receiverSig = readReceiverSig(fields);
    var memo = fields.takeMessage(MEMO, "StringValue");
    var renewal = fields.takeMessage(RENEWAL, "Duration");
    var decline = fields.takeMessage(DECLINE_REWARD, "BoolValue");
    var expiration = fields.takeMessage(EXPIRATION, "Timestamp");
    var associations = fields.takeMessage(ASSOCIATIONS, "Int32Value");
    var change =
        new AccountChange(
            key,
            receiverSig,
            memo.isPresent()
                ? Optional.of(only(memo.get(), memo.get().takeText(1)))
                : Optional.empty(),
            renewal.isPresent()
                ? Optional.of(only(renewal.get(), renewal.get().takeNumber(1)))
                : Optional.empty(),
            readFlag(decline),
            expiration.isPresent()
                ? Optional.of(CommonMessages.readSecond(expiration.get()))
                : Optional.empty(),
            associations.isPresent()
                ? Optional.of(only(associations.get(), associations.get().takeSigned32(1)))
                : Optional.empty(),
            readStake(fields));
    fields.requireNothingLeft();
    return new Action.CryptoUpdate(account, change);
  }

  private static <T> T only(MessageFields message, T value) throws UnreadableMessageException {
    message.requireNothingLeft();
    return value;
  }

  private static EntityId readAccount(Optional<MessageFields> account)
      throws UnreadableMessageException {
    if (account.isEmpty()) {
      throw new UnreadableMessageException(
          ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST,
          ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST.sentence());
    }
    return CommonMessages.readEntity(account.get(), ResponseCode.INVALID_ACCOUNT_ID);
  }

  private static void refuseProxy(MessageFields fields) throws UnreadableMessageException {
    fields.takeEmpty(PROXY);
    if (fields.has(PROXY)) {
      throw new UnreadableMessageException(
          ResponseCode.PROXY_ACCOUNT_ID_FIELD_IS_DEPRECATED,
          ResponseCode.PROXY_ACCOUNT_ID_FIELD_IS_DEPRECATED.sentence());
    }
  }

  /** Hedera has taken them for years, and done nothing with them. */
  private static void ignoreThresholds(MessageFields fields) throws UnreadableMessageException {
    fields.requireAtMostOne("sendRecordThresholdField", SEND_THRESHOLD, SEND_THRESHOLD_VALUE);
    fields.requireAtMostOne(
        "receiveRecordThresholdField", RECEIVE_THRESHOLD, RECEIVE_THRESHOLD_VALUE);
    fields.ignoreNumbers(PROXY_FRACTION, SEND_THRESHOLD, RECEIVE_THRESHOLD);
    for (int number : new int[] {SEND_THRESHOLD_VALUE, RECEIVE_THRESHOLD_VALUE}) {
      var value = fields.takeMessage(number, "UInt64Value");
      if (value.isPresent()) {
        value.get().ignoreNumbers(1);
        value.get().requireNothingLeft();
      }
    }
  }

  private static Optional<AccountKey> readKey(Optional<Bytes> key)
      throws UnreadableMessageException {
    return key.isPresent() ? Optional.of(CommonMessages.readKey(key.get())) : Optional.empty();
  }

  private static Optional<Boolean> readFlag(Optional<MessageFields> value)
      throws UnreadableMessageException {
    return value.isPresent()
        ? Optional.of(only(value.get(), value.get().takeFlag(1)))
        : Optional.empty();
  }

  private static Optional<Boolean> readReceiverSig(MessageFields fields)
      throws UnreadableMessageException {
    fields.requireAtMostOne("receiverSigRequiredField", RECEIVER_SIG_FLAG, RECEIVER_SIG);
    return fields.has(RECEIVER_SIG_FLAG)
        ? Optional.of(fields.takeFlag(RECEIVER_SIG_FLAG))
        : readFlag(fields.takeMessage(RECEIVER_SIG, "BoolValue"));
  }

  private static Optional<AccountChange.Stake> readStake(MessageFields fields)
      throws UnreadableMessageException {
    fields.requireAtMostOne("staked_id", STAKED_ACCOUNT, STAKED_NODE);
    if (fields.has(STAKED_NODE)) {
      return Optional.of(new AccountChange.Stake(true, fields.takeNumber(STAKED_NODE)));
    }
    var account = fields.takeMessage(STAKED_ACCOUNT, "AccountID");
    return account.isPresent()
        ? Optional.of(new AccountChange.Stake(false, stakedAccount(account.get())))
        : Optional.empty();
  }

  /** 0 is nobody. */
  private static long stakedAccount(MessageFields account) throws UnreadableMessageException {
    if (account.takeNumber(1) != 0 || account.takeNumber(2) != 0 || account.has(ALIAS)) {
      throw new UnreadableMessageException(
          ResponseCode.STAKING_NOT_ENABLED, ResponseCode.STAKING_NOT_ENABLED.sentence());
    }
    return only(account, account.takeNumber(NUMBER));
  }

  static MessageBytes write(Action.CryptoUpdate update) {
    var change = update.change();
    var message = new MessageBytes().message(ACCOUNT, CommonMessages.write(update.account()));
    change.key().ifPresent(key -> message.message(KEY, CommonMessages.write(key)));
    change
        .autoRenewSeconds()
        .ifPresent(seconds -> message.message(RENEWAL, new MessageBytes().number(1, seconds)));
    change
        .expirationSecond()
        .ifPresent(second -> message.message(EXPIRATION, new MessageBytes().number(1, second)));
    change
        .receiverSigRequired()
        .ifPresent(flag -> message.message(RECEIVER_SIG, new MessageBytes().flag(1, flag)));
    change.memo().ifPresent(memo -> message.message(MEMO, new MessageBytes().text(1, memo)));
    change
        .maxAssociations()
        .ifPresent(most -> message.message(ASSOCIATIONS, new MessageBytes().number(1, most)));
    change.stake().ifPresent(stake -> put(message, stake));
    change
        .declineReward()
        .ifPresent(flag -> message.message(DECLINE_REWARD, new MessageBytes().flag(1, flag)));
    return message;
  }

  private static void put(MessageBytes message, AccountChange.Stake stake) {
    if (stake.withNode()) {
      message.member(STAKED_NODE, stake.number());
    } else {
      message.message(STAKED_ACCOUNT, new MessageBytes().number(NUMBER, stake.number()));
    }
  }
}
