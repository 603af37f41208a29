package dev.sequitur.scheduler.body;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The bodies that can be scheduled: in {@code mvp} a whole TransactionBody, of whose id only the
 * nonce is filled in, and which names the queue since its signatures cover nothing else; in {@code
 * current} a SchedulableTransactionBody. A private transaction is a call of the group's contract
 * ({@link CallParameters}).
 */
final class ScheduledBodies {
  /** Of a CryptoTransferTransactionBody. */
  private static final int TOKEN_TRANSFERS = 2;

  /** Of a CryptoCreateTransactionBody: automatic associations, an alias, hooks, a delegation. */
  private static final int[] UNSUPPORTED_OF_ACCOUNTS = {14, 17, 18, 19, 20};

  /** Of an AccountAmount: whether it is given out of an allowance. */
  private static final int IS_APPROVAL = 3;

  /** Of a CryptoCreateTransactionBody. */
  private static final int MAX_TOKEN_ASSOCIATIONS = 14;

  private static final int STAKED_ACCOUNT = 15;
  private static final int STAKED_NODE = 16;
  private static final int DECLINE_REWARD = 17;
  private static final int ALIAS = 18;

  /** Of a ContractCallTransactionBody: what the caller gives to the contract. */
  private static final int AMOUNT = 3;

  /** The members of a ContractID's oneof. */
  private static final int CONTRACT_NUM = 3;

  private static final int EVM_ADDRESS = 4;

  private final Profile profile;
  private final Addressee addressee;
  private final Layout layout;

  ScheduledBodies(Profile profile, Addressee addressee) {
    this.profile = profile;
    this.addressee = addressee;
    this.layout = profile == Profile.MVP ? Layout.TRANSACTION_BODY : Layout.SCHEDULABLE;
  }

  /** Where the two messages have the same things. */
  private enum Layout {
    TRANSACTION_BODY("TransactionBody", 3, 6, 7, 11, 14, 15),
    SCHEDULABLE("SchedulableTransactionBody", 1, 2, 3, 7, 9, 10);

    private final String message;
    private final int fee;
    private final int memo;
    private final int contractCall;
    private final int cryptoCreate;
    private final int cryptoTransfer;
    private final int cryptoUpdate;

    Layout(
        String message,
        int fee,
        int memo,
        int contractCall,
        int cryptoCreate,
        int cryptoTransfer,
        int cryptoUpdate) {
      this.message = message;
      this.fee = fee;
      this.memo = memo;
      this.contractCall = contractCall;
      this.cryptoCreate = cryptoCreate;
      this.cryptoTransfer = cryptoTransfer;
      this.cryptoUpdate = cryptoUpdate;
    }
  }

  ScheduledTransaction read(Bytes bytes) throws UnreadableMessageException {
    var fields = MessageFields.of(layout.message, bytes);
    long fee = fields.takeNumber(layout.fee);
    var memo = fields.takeText(layout.memo);
    int nonce = 0;
    if (profile == Profile.MVP) {
      var id = fields.takeMessage(1, "TransactionID");
      nonce = id.isPresent() ? readNonce(id.get()) : 0;
      addressee.take(fields);
      fields.ignoreDuration(4);
      fields.ignoreNumbers(5);
    }
    if (fee < 0) {
      throw fields.unreadable("allows a fee above 9223372036854775807");
    }
    var hash = Hash.sha256(bytes.toByteArray());
    return new ScheduledTransaction(bytes, hash, nonce, fee, memo, action(fields));
  }

  /** What else an id has is filled in when it runs: nobody is to sign what is then another. */
  private static int readNonce(MessageFields id) throws UnreadableMessageException {
    int nonce = (int) id.takeUnsigned32(4);
    id.takeZeros(3);
    if (id.left().isPresent()) {
      throw new UnreadableMessageException(
          ResponseCode.TRANSACTION_ID_FIELD_NOT_ALLOWED,
          "Fill in the nonce alone in the id of a transaction that is to be scheduled.");
    }
    return nonce;
  }

  private Action action(MessageFields fields) throws UnreadableMessageException {
    var transfer = fields.takeMessage(layout.cryptoTransfer, "CryptoTransferTransactionBody");
    var create = fields.takeMessage(layout.cryptoCreate, "CryptoCreateTransactionBody");
    var call = fields.takeMessage(layout.contractCall, "ContractCallTransactionBody");
    var update =
        profile == Profile.MVP
            ? Optional.<MessageFields>empty()
            : fields.takeMessage(layout.cryptoUpdate, "CryptoUpdateTransactionBody");
    var other = fields.left();
    long found =
        Stream.of(transfer, create, call, update)
            .filter(Optional<MessageFields>::isPresent)
            .count();
    if (found == 0 && fields.countLeft() == 1) {
      return new Action.Unschedulable("field " + other.orElseThrow());
    }
    fields.requireNothingLeft();
    if (found != 1) {
      throw fields.unreadable("does not ask for just one thing");
    } else if (transfer.isPresent()) {
      return readTransfer(transfer.get());
    }
    if (update.isPresent()) {
      return AccountUpdates.read(update.get(), profile);
    }
    return create.isPresent() ? readCreate(create.get()) : readCall(call.get());
  }

  static Action.CryptoTransfer readTransfer(MessageFields fields)
      throws UnreadableMessageException {
    var rows = new ArrayList<AccountAmount>();
    var list = fields.takeMessage(1, "TransferList");
    fields.requireUnsupportedAbsent(TOKEN_TRANSFERS);
    fields.requireNothingLeft();
    if (list.isPresent()) {
      for (var bytes : list.get().takeAll(1)) {
        var row = MessageFields.of("AccountAmount", bytes);
        var account = row.takeMessage(1, "AccountID");
        long units = row.takeSigned(2);
        row.takeZeros(IS_APPROVAL);
        row.requireUnsupportedAbsent(IS_APPROVAL);
        row.requireNothingLeft();
        if (account.isEmpty()) {
          throw row.unreadable("names no account");
        }
        rows.add(new AccountAmount(CommonMessages.readEntity(account.get()), units));
      }
      list.get().requireNothingLeft();
    }
    return new Action.CryptoTransfer(rows);
  }

  static Action.CryptoCreate readCreate(MessageFields fields) throws UnreadableMessageException {
    var key = fields.takeBytes(1);
    long balance = fields.takeNumber(2);
    boolean receiverSigRequired = fields.takeFlag(8);
    var memo = fields.takeText(13);
    // How often an account of Hedera is renewed; and what old clients send with it.
    fields.ignoreDuration(9);
    fields.ignoreNumbers(6, 7);
    ignoreStake(fields);
    fields.takeZeros(MAX_TOKEN_ASSOCIATIONS, DECLINE_REWARD);
    fields.takeEmpty(ALIAS);
    fields.requireUnsupportedAbsent(UNSUPPORTED_OF_ACCOUNTS);
    fields.requireNothingLeft();
    if (key.isEmpty()) {
      throw new UnreadableMessageException(
          ResponseCode.KEY_REQUIRED, ResponseCode.KEY_REQUIRED.sentence());
    } else if (balance < 0) {
      throw fields.unreadable("names a balance above 9223372036854775807");
    }
    return new Action.CryptoCreate(
        CommonMessages.readKey(key.get()), new Amount(balance), receiverSigRequired, memo);
  }

  /** To whom it would stake: nobody pays any reward here, so that it makes no difference. */
  private static void ignoreStake(MessageFields fields) throws UnreadableMessageException {
    fields.requireAtMostOne("staked_id", STAKED_ACCOUNT, STAKED_NODE);
    fields.ignoreNumbers(STAKED_NODE);
    var account = fields.takeMessage(STAKED_ACCOUNT, "AccountID");
    if (account.isPresent()) {
      CommonMessages.readEntity(account.get());
    }
  }

  private static Action readCall(MessageFields fields) throws UnreadableMessageException {
    var contract = fields.takeMessage(1, "ContractID");
    var parameters = fields.takeText(4);
    fields.ignoreNumbers(2);
    fields.takeZeros(AMOUNT);
    fields.requireNothingLeft();
    var address = contract.isPresent() ? readAddress(contract.get()) : Optional.<Bytes>empty();
    if (address.isEmpty()) {
      throw fields.unreadable("names no group by the address of its contract");
    }
    try {
      return CallParameters.read(new ContractAddress(address.get().toHex()), parameters);
    } catch (IllegalArgumentException e) {
      throw fields.unreadable(
          "has parameters that are no private transaction: send the address of a group's contract,"
              + " and JSON with domain, function, from, inputs and perhaps retry");
    }
  }

  private static Optional<Bytes> readAddress(MessageFields contract)
      throws UnreadableMessageException {
    contract.takeZeros(1, 2);
    contract.takeZeroBefore(CONTRACT_NUM, EVM_ADDRESS);
    var address = contract.takeBytes(EVM_ADDRESS);
    contract.requireNothingLeft();
    return address;
  }

  /** Builds a body, and reads it again as everybody else will. */
  ScheduledTransaction write(int nonce, long maxFee, String memo, Action action) {
    var message = new MessageBytes();
    if (profile == Profile.MVP) {
      if (nonce != 0) {
        message.message(1, new MessageBytes().number(4, Integer.toUnsignedLong(nonce)));
      }
      addressee.put(message);
    }
    message.number(layout.fee, maxFee).text(layout.memo, memo);
    switch (action) {
      case Action.CryptoTransfer(var transfers) ->
          message.message(layout.cryptoTransfer, writeTransfer(transfers));
      case Action.CryptoCreate create -> message.message(layout.cryptoCreate, write(create));
      case Action.CryptoUpdate update ->
          message.message(layout.cryptoUpdate, AccountUpdates.write(update));
      case Action.PrivateTransaction privately ->
          message.message(layout.contractCall, write(privately));
      case Action.Unschedulable ignored ->
          throw new IllegalArgumentException("This cannot be scheduled: " + action);
    }
    try {
      return read(message.finish());
    } catch (UnreadableMessageException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  static MessageBytes writeTransfer(List<AccountAmount> rows) {
    return new MessageBytes().message(1, writeRows(rows));
  }

  /** A TransferList. */
  static MessageBytes writeRows(List<AccountAmount> rows) {
    var list = new MessageBytes();
    for (var row : rows) {
      list.message(
          1,
          new MessageBytes()
              .message(1, CommonMessages.write(row.account()))
              .signed(2, row.units()));
    }
    return list;
  }

  static MessageBytes write(Action.CryptoCreate create) {
    return new MessageBytes()
        .message(1, CommonMessages.write(create.key()))
        .number(2, create.initialBalance().units())
        .flag(8, create.receiverSigRequired())
        .text(13, create.memo());
  }

  private static MessageBytes write(Action.PrivateTransaction privately) {
    var contract = Bytes.hex(privately.call().contract().value());
    return new MessageBytes()
        .message(1, new MessageBytes().bytes(4, contract))
        .bytes(4, CallParameters.write(privately));
  }
}
