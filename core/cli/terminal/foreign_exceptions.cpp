// Lets an exception that leaves a plug-in pass through the functions of this program.
//
// Most plug-ins bring their own copy of the unwinder, as this program does. The plug-in's copy asks
// the personality function of each frame what to do with the exception. The functions of this
// program have a personality function that uses this program's copy, which ends the process with
// abort() if it has not run before. Running it when the program starts would take a twentieth of
// the time of a short command. So the linker replaces the personality function by the one below
// (--wrap in CMakeLists.txt), which runs this program's unwinder once, when it is needed.
#include <unwind.h>

// The linker derives these names from that of the function.
// NOLINTBEGIN(*-reserved-identifier,*-naming)
extern "C" {

_Unwind_Reason_Code __real___gxx_personality_v0(int version, _Unwind_Action actions,
                                                _Unwind_Exception_Class kind,
                                                _Unwind_Exception* exception,
                                                _Unwind_Context* context);

_Unwind_Reason_Code __wrap___gxx_personality_v0(int version, _Unwind_Action actions,
                                                _Unwind_Exception_Class kind,
                                                _Unwind_Exception* exception,
                                                _Unwind_Context* context) {
  [[maybe_unused]] static const _Unwind_Reason_Code has_run =
      ::_Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_END_OF_STACK; }, nullptr);
  return __real___gxx_personality_v0(version, actions, kind, exception, context);
}

}  // extern "C"
// NOLINTEND(*-reserved-identifier,*-naming)
