package dev.sequitur.protocol.indexing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.OlderRecords.Done;
import dev.sequitur.protocol.indexing.OlderRecords.Known;
import dev.sequitur.protocol.indexing.OlderRecords.Sent;
import dev.sequitur.protocol.indexing.OlderRecords.Submitted;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.NonceUsed;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the ledger shows of a node, beside what its records have (RCV-7). */
final class OlderRecordsTest {
  private static final BlockHeight HEIGHT = new BlockHeight(8);
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "1".repeat(40));
  private static final ContractAddress OTHER = new ContractAddress("0x" + "2".repeat(40));
  private static final LedgerAddress OURS = new LedgerAddress("0x" + "a".repeat(40));
  private static final LedgerAddress THEIRS = new LedgerAddress("0x" + "b".repeat(40));
  private static final IntentKey SENT_HERE = intent(1);
  private static final IntentKey SENT_ELSEWHERE = intent(2);

  /** Its key is of one contract alone. */
  private static final OlderRecords.Own OWN =
      new OlderRecords.Own() {
        @Override
        public boolean isSubmitter(LedgerAddress signer, ContractAddress contract) {
          return signer.equals(OURS) && contract.equals(CONTRACT);
        }

        @Override
        public boolean isSender(ContractAddress contract, IntentKey intent) {
          return intent.equals(SENT_HERE) && contract.equals(CONTRACT);
        }
      };

  private static IntentKey intent(long number) {
    return new IntentKey(
        new TransactionId(new UUID(number, 0)), new SenderCommitment(new Hash(number, 0, 0, 0)));
  }

  @Test
  void whatOurKeySubmittedAndWhatOurCallersSentIsShown() {
    assertThat(shown(OURS, 5, fulfilled(CONTRACT, SENT_ELSEWHERE)))
        .containsExactly(new Submitted(HEIGHT, CONTRACT, 5, SENT_ELSEWHERE.transaction()));
    assertThat(shown(THEIRS, 5, fulfilled(CONTRACT, SENT_HERE)))
        .containsExactly(new Sent(HEIGHT, CONTRACT, SENT_HERE.transaction()));
    assertThat(shown(OURS, 5, fulfilled(CONTRACT, SENT_HERE))).hasSize(2);
  }

  @Test
  void whatTheContractRefusedShowsTheSame() {
    var refused = new Reverted(CONTRACT, SENT_HERE, RevertReason.values()[0], "");

    assertThat(shown(OURS, 5, refused))
        .containsExactly(
            new Submitted(HEIGHT, CONTRACT, 5, SENT_HERE.transaction()),
            new Sent(HEIGHT, CONTRACT, SENT_HERE.transaction()));
  }

  @Test
  void whatOthersDidAndWhatIsOfNoGroupShowsNothing() {
    assertThat(shown(THEIRS, 5, fulfilled(CONTRACT, SENT_ELSEWHERE))).isEmpty();
    assertThat(shown(OURS, 5, fulfilled(OTHER, SENT_HERE))).isEmpty();
    assertThat(shown(OURS, 5, new NonceUsed())).isEmpty();
  }

  @Test
  void aNonceThatTheJournalGaveIsKnownAndTheNextOneIsNot() {
    var last = new Submitted(HEIGHT, CONTRACT, 5, SENT_HERE.transaction());
    var next = new Submitted(HEIGHT, CONTRACT, 6, SENT_HERE.transaction());

    assertThat(unknown(List.of(last, next), Map.of(CONTRACT, 6L), Set.of())).containsExactly(next);
  }

  @Test
  void aKeyThatTheJournalHasNothingOfHasNoNonceThatIsKnown() {
    var first = new Submitted(HEIGHT, CONTRACT, 0, SENT_HERE.transaction());

    assertThat(unknown(List.of(first), Map.of(OTHER, 9L), Set.of())).containsExactly(first);
  }

  @Test
  void aTransactionThatWasAcceptedHereIsKnown() {
    var sent = new Sent(HEIGHT, CONTRACT, SENT_HERE.transaction());

    assertThat(unknown(List.of(sent), Map.of(), Set.of(SENT_HERE.transaction()))).isEmpty();
    assertThat(unknown(List.of(sent), Map.of(), Set.of(SENT_ELSEWHERE.transaction())))
        .containsExactly(sent);
  }

  @Test
  void itIsToldSinceWhenAndOfHowManyGroups() {
    assertThat(OlderRecords.told(List.of())).isEmpty();
    assertThat(
            OlderRecords.told(List.of(new Submitted(HEIGHT, CONTRACT, 5, SENT_HERE.transaction()))))
        .contains(
            "since block 8 the base ledger has a transaction of this node, in 1 of its groups, that its records do not have");
    assertThat(
            OlderRecords.told(
                    List.of(
                        new Submitted(HEIGHT, CONTRACT, 5, SENT_HERE.transaction()),
                        new Submitted(new BlockHeight(7), OTHER, 1, SENT_ELSEWHERE.transaction())))
                .orElseThrow())
        .contains("since block 7", "2 transactions or more", "2 of its groups");
  }

  @Test
  void whatWasBothSentAndSubmittedHereIsCountedOnce() {
    var id = SENT_HERE.transaction();
    List<Done> both =
        List.of(new Submitted(HEIGHT, CONTRACT, 5, id), new Sent(HEIGHT, CONTRACT, id));
    assertThat(OlderRecords.told(both).orElseThrow()).contains(" has a transaction of this node");

    var another = new Submitted(HEIGHT, CONTRACT, 5, SENT_ELSEWHERE.transaction());
    assertThat(OlderRecords.told(List.of(both.get(0), both.get(1), another)).orElseThrow())
        .contains(" has 2 transactions or more of this node");
  }

  private static List<Done> unknown(
      List<Done> shown, Map<ContractAddress, Long> nonces, Set<TransactionId> transactions) {
    return OlderRecords.unknown(shown, new Known(nonces, transactions));
  }

  private static Fulfilled fulfilled(ContractAddress contract, IntentKey intent) {
    return new Fulfilled(contract, intent, List.of(), List.of(), List.of());
  }

  private static List<Done> shown(LedgerAddress signer, long nonce, LedgerReceipt.Result result) {
    var hash = new Hash(1, 2, 3, 4);
    var receipt =
        new LedgerReceipt(new TransactionHash(hash), signer, nonce, HEIGHT, 0, List.of(result));
    return OlderRecords.shown(new Block(HEIGHT, hash, hash, Instant.EPOCH, List.of(receipt)), OWN);
  }
}
