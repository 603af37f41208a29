package dev.sequitur.sequencer.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private final Admission<String> admission = new Admission<>();

  private void admit(String address, int number) {
    IntStream.range(0, number).forEach(each -> admission.admit(address + "/" + each, address));
  }

  @Test
  void connectionsOfOneAddressDisplaceTheOldestOfItsOwn() {
    admit("a", Admission.PER_ADDRESS);
    admit("b", 1);

    assertThat(admission.admit("a/new", "a")).contains("a/0");
    assertThat(admission.admit("a/newer", "a")).contains("a/1");
    assertThat(admission.leave("a/0")).isTrue();
    assertThat(admission.leave("a/2")).isFalse();
  }

  @Test
  void whenStrangersAreTooManyTheAddressWithTheMostGivesUpItsOldest() {
    for (int each = 0; each < Admission.OF_STRANGERS - 2; each++) {
      admit("one-of-" + each, 1);
    }
    admit("busy", 2);

    assertThat(admission.admit("new/0", "new")).contains("busy/0");
  }

  @Test
  void fromWhereAPeerCameNobodyElseIsDisplacedNorDisplaces() {
    admission.isKnown("peer");
    admit("peer", 1);
    for (int each = 0; each < Admission.OF_STRANGERS; each++) {
      assertThat(admission.admit("s/" + each, "stranger " + each)).isEmpty();
    }

    assertThat(admission.admit("peer/new", "peer")).isEmpty();
    assertThat(admission.admit("s/more", "another stranger")).contains("s/0");
  }

  @Test
  void whoeverHasLeftTakesNoPlace() {
    admit("a", Admission.PER_ADDRESS);
    admission.leave("a/3");

    assertThat(admission.admit("a/new", "a")).isEmpty();
  }

  @Test
  void howManyWaitIsBoundedWhateverComes() {
    var waiting = new HashSet<String>();
    for (int each = 0; each < 10_000; each++) {
      var address = "address " + each % 100;
      if (each % 100 < 50) {
        admission.isKnown(address);
      }
      waiting.add("c" + each);
      admission.admit("c" + each, address).ifPresent(waiting::remove);
    }

    assertThat(waiting.size())
        .isLessThanOrEqualTo(
            Admission.OF_STRANGERS + Admission.KNOWN_ADDRESSES * Admission.PER_ADDRESS);
  }
}
