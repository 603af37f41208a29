package dev.sequitur.protocol.endorser;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.AttestationRequest;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndorserTest {
  @Test
  void aRequestThatBreaksTheDomainIsRefusedLikeAnyOther() {
    var height = Contract.heightPreferring(B, BlockHeight.ZERO);
    var endorser =
        new Endorser(
            new Endorser.Setup(
                A,
                Contract.GROUP,
                Contract.SELECTION,
                SequencerSettings.DEFAULT,
                brokenDomain(),
                new NoKeys()));

    var answer =
        endorser.onRequest(
            Endorser.State.initial(height), Contract.from(B, request(height)), Instant.EPOCH);

    assertThat(answer.to()).isEqualTo(B);
    assertThat(answer.message())
        .isInstanceOfSatisfying(
            EndorsementError.class,
            error -> assertThat(error.reason()).isInstanceOf(EndorsementError.Refused.class));
  }

  private static Domain brokenDomain() {
    return (Domain)
        Proxy.newProxyInstance(
            Domain.class.getClassLoader(),
            new Class<?>[] {Domain.class},
            (proxy, method, arguments) -> {
              throw new IndexOutOfBoundsException("private");
            });
  }

  private static EndorsementRequest request(BlockHeight height) {
    var transaction = Contract.transaction(B, 1);
    return new EndorsementRequest(
        new AttestationRequest("all", List.of(Contract.party(A)), 1),
        new RequestId("key"),
        transaction.id(),
        ADDRESS,
        Contract.party(A),
        transaction,
        Bytes.EMPTY,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        B,
        height,
        new DelegationId(B, 1, 1));
  }

  private static final class NoKeys implements Keys {
    @Override
    public Verifier verifier(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      throw new UnsupportedOperationException();
    }
  }
}
