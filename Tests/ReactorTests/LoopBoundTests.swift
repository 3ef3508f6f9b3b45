import Dispatch
import Reactor
import Testing

@Suite struct LoopBoundTests {
    @Test func theValueIsReachedOnItsLoop() throws {
        let loop = try EventLoop.onOwnThread(name: "bound")
        let box = LoopBound<[Int]>(sending: [1], loop: loop)
        let read = try on(loop) {
            box.value.append(2)
            return box.value
        }
        #expect(read == [1, 2])
        loop.stop()
        loop.join()
    }

    @Test func theValueIsReleasedOnItsLoop() throws {
        let loop = try EventLoop.onOwnThread(name: "bound")
        let released = DispatchSemaphore(value: 0)
        let wasCurrent = Shared<Bool?>(nil)
        var box: LoopBound<Deinit>? = try on(loop) {
            let value = Deinit {
                wasCurrent.update { $0 = loop.isCurrent }
                released.signal()
            }
            return LoopBound(value, loop: loop)
        }
        #expect(box != nil)
        box = nil
        #expect(released.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(wasCurrent.current == true)
        loop.stop()
        loop.join()
    }

    @Test func theValueIsReleasedOnItsLoopEvenWhenTheLoopIsStopping() throws {
        let loop = try EventLoop.onOwnThread(name: "bound")
        let wasCurrent = Shared<Bool?>(nil)
        let (stopped, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var box: LoopBound<Deinit>? = try on(loop) {
            LoopBound(Deinit { wasCurrent.update { $0 = loop.isCurrent } }, loop: loop)
        }
        loop.execute {
            loop.stop()
            stopped.signal()
            _ = mayGoOn.wait(timeout: .now() + .seconds(60))
        }
        #expect(stopped.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(box != nil)
        box = nil
        #expect(wasCurrent.current == nil, "the loop is still busy")
        mayGoOn.signal()
        loop.join()
        #expect(wasCurrent.current == true)
    }

    @Test func afterTheLoopsEndTheValueIsReleasedWhereTheBoxIs() throws {
        let loop = try EventLoop.onOwnThread(name: "bound")
        let wasReleased = Shared(false)
        var box: LoopBound<Deinit>? = LoopBound(
            sending: Deinit { wasReleased.update { $0 = true } }, loop: loop)
        loop.stop()
        loop.join()
        #expect(box != nil)
        box = nil
        #expect(wasReleased.current)
    }
}
